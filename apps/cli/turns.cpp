#include "turns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot::cli {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Turn read_turn(const std::string& text, const ParameterLayout& layout) {
  const auto colon = text.find(':'), equals = text.rfind('=');
  if (colon == std::string::npos || equals == std::string::npos || equals < colon)
    throw Error(Problem{"--turn", fmt::format("'{}'", text), "TIME: NAME = VALUE",
                        "for example --turn '0.5 s: /bodies/0/damping/0/beta = 20 ms'; `dashpot parameters` lists the "
                        "names"});
  const auto quantity = [&](const std::string& part, Quantity wanted) {
    const ParsedQuantity parsed = parse_quantity(trimmed(part), wanted);
    if (!parsed.error.empty())
      throw Error(Problem{"--turn", fmt::format("'{}'", trimmed(part)),
                          fmt::format("{} such as '{}'", quantity_info(wanted).name, quantity_info(wanted).example),
                          ""});
    return parsed.value;
  };
  Turn turn;
  turn.time = quantity(text.substr(0, colon), Quantity::time);
  const ParameterLayout::Entry& entry = layout.at(trimmed(text.substr(colon + 1, equals - colon - 1)));
  turn.name = entry.info.name;
  turn.value = quantity(text.substr(equals + 1), entry.info.quantity);
  std::vector<double> tried;
  layout.set(turn.name, turn.value, tried);  // throws where it is out of range
  return turn;
}

}  // namespace

std::vector<Turn> read_turns(const std::vector<std::string>& texts, const System& system) {
  const ParameterLayout& layout = system.parameters();
  std::vector<Turn> turns;
  std::vector<Problem> problems;
  for (const std::string& text : texts) try {
      turns.push_back(read_turn(text, layout));
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  if (!problems.empty()) throw Error(std::move(problems));
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.time < b.time; });
  std::vector<double> values;
  for (const Turn& turn : turns) {
    layout.set(turn.name, turn.value, values);
    system.with(values);  // a damping ratio below that of the base, a density that a damping cannot follow
  }
  return turns;
}

void turn_due(const std::vector<Turn>& turns, double time, const ParameterLayout& layout, std::vector<double>& values) {
  for (const Turn& turn : turns)
    if (turn.time <= time + 1e-9 * std::max(1.0, time)) layout.set(turn.name, turn.value, values);
}

}  // namespace dashpot::cli
