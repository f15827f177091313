// Surfaces: the first byte chooses .obj, .ply, .off or .stl.
#include <cstdint>

#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  using Reader =
      dashpot::Mesh (*)(std::string_view, const std::string&, dashpot::MeshReport*, const dashpot::ReadOptions&);
  constexpr Reader readers[] = {dashpot::read_obj, dashpot::read_ply, dashpot::read_off, dashpot::read_stl};
  dashpot::ReadOptions options;
  options.drop_degenerate_surface = (data[0] & 4U) != 0;
  try {
    dashpot::MeshReport report;
    const dashpot::Mesh mesh = readers[data[0] & 3U](bytes, "fuzz", &report, options);
    dashpot::to_text(dashpot::mesh_info(mesh), &report);
  } catch (const dashpot::Error&) {
  }
  return 0;
}
