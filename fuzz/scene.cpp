// Scene texts: JSON, checking against the registry, normal form, formulas, VegaFEM configs. What is accepted must be
// written and read back as the same scene. Meshes are not built: a scene may rightly ask for a large one.
#include <cstdint>
#include <cstdlib>

#include "dashpot/math/formula.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/import/vega_config.hpp"

namespace {

template <class Action>
void expecting_errors(Action action) {
  try {
    action();
  } catch (const dashpot::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedJson parsed = parse_json(text, "fuzz.json");
  if (!has_errors(parsed.problems)) {
    const std::string written = write_json(parsed.value);
    const ParsedJson again = parse_json(written, "again.json");
    if (has_errors(again.problems) || write_json(again.value) != written) std::abort();
  }
  const Normalized normal = normalize(parsed.value, "fuzz.json", "/nonexistent");
  if (!has_errors(parsed.problems) && !has_errors(normal.problems)) {
    const ParsedJson shown = parse_json(write_json(with_units(normal.value)), "shown.json");
    const Normalized again = normalize(shown.value, "shown.json", "/nonexistent");
    if (has_errors(again.problems) || write_json(again.value) != write_json(normal.value)) std::abort();
  }
  expecting_errors([&] { import_vega_config(text, "fuzz.config", "/nonexistent"); });
  expecting_errors([&] { Formula::parse(text).evaluate({1, 2, 3}); });
  return 0;
}
