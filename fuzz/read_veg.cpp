// VegaFEM .veg. What is accepted must also be written and read back.
#include <cstdint>
#include <cstdlib>

#include "dashpot/mesh/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // Two small files that every input may include, one of them itself.
  const auto include = [&](const std::string& name) {
    return name == "self" ? std::string(bytes) : std::string("2\n");
  };
  dashpot::Mesh mesh;
  try {
    dashpot::VegaProperties properties;
    dashpot::MeshReport report;
    mesh = dashpot::read_veg(bytes, "fuzz.veg", &properties, &report, {}, include);
  } catch (const dashpot::Error&) {
    return 0;
  }
  const dashpot::Mesh back = dashpot::read_veg(dashpot::veg_bytes(mesh), "back.veg");
  if (back.num_nodes() != mesh.num_nodes() || back.num_elements() != mesh.num_elements()) std::abort();
  return 0;
}
