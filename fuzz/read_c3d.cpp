// Motion-capture files: accepted or refused, never a crash, never more memory than the file can fill.
#include <cstdint>
#include <cstdlib>

#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  try {
    const Table table = analysis::parse_c3d({reinterpret_cast<const char*>(data), size}, "fuzz.c3d");
    if (table.num_rows() * table.columns.size() > size + table.num_rows()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
