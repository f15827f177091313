// TetGen: the input is a .node file, a zero byte, and an .ele file.
#include <cstdint>

#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = bytes.find('\0');
  const bool has_elements = cut != std::string_view::npos;
  try {
    dashpot::MeshReport report;
    const dashpot::Mesh mesh = dashpot::read_tetgen(
        bytes.substr(0, cut), has_elements ? bytes.substr(cut + 1) : std::string_view(), "fuzz", &report);
    dashpot::to_json(dashpot::mesh_info(mesh), &report);
  } catch (const dashpot::Error&) {
  }
  return 0;
}
