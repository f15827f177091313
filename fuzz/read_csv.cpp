// Measured tables. What is accepted has columns of one length, and asking for times and markers may fail but never
// crash.
#include <cstdint>
#include <cstdlib>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  try {
    const Table table = parse_csv({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
    if (table.units.size() != table.columns.size() || table.values.size() != table.columns.size()) std::abort();
    for (const auto& column : table.values)
      if (column.size() != table.num_rows()) std::abort();
    for (const std::string& name : analysis::marker_names(table)) analysis::marker_path(table, name);
    analysis::measured_times(table);
  } catch (const Error&) {
  }
  return 0;
}
