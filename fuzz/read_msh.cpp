// Gmsh .msh, all dialects. What is accepted must also be written and read back.
#include <cstdint>
#include <cstdlib>

#include "dashpot/mesh/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  dashpot::Mesh mesh;
  try {
    dashpot::MeshReport report;
    mesh = dashpot::read_msh(bytes, "fuzz.msh", &report);
  } catch (const dashpot::Error&) {
    return 0;
  }
  const dashpot::Mesh back = dashpot::read_msh(dashpot::msh_bytes(mesh, dashpot::MshDialect::v41_binary), "back.msh");
  if (back.num_nodes() != mesh.num_nodes() || back.num_elements() != mesh.num_elements()) std::abort();
  return 0;
}
