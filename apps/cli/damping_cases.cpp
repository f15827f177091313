#include "damping_cases.hpp"

#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "option_values.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct NamedModel {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "rayleigh alpha=0.1 /s beta=2 ms": a value reaches to the next "word=".
NamedModel read_model(const std::string& option, const std::string& text) {
  NamedModel model;
  std::size_t at = text.find_first_not_of(' ');
  while (at < text.size() && is_word(text[at])) model.name += text[at++];
  std::vector<std::pair<std::size_t, std::size_t>> keys;  // begin of the word, position of '='
  for (std::size_t equals = text.find('=', at); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    std::size_t begin = equals;
    while (begin > at && is_word(text[begin - 1])) --begin;
    if (begin < equals && (begin == 0 || text[begin - 1] == ' ')) keys.emplace_back(begin, equals);
  }
  const std::size_t first = keys.empty() ? text.size() : keys.front().first;
  if (model.name.empty() || text.substr(at, first - at).find_first_not_of(' ') != std::string::npos)
    throw UsageError(
        Problem{option, fmt::format("found '{}'", text), "a model and its parameters, 'rayleigh beta=2 ms'", ""});
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = keys[k].second + 1, end = k + 1 < keys.size() ? keys[k + 1].first : text.size();
    const std::string value = split_list(text.substr(begin, end - begin), '\0').front();
    model.parameters.emplace_back(text.substr(keys[k].first, keys[k].second - keys[k].first), value);
  }
  return model;
}

/// Numbers as numbers, everything else as text: the scene reads the units.
ordered_json value_json(const std::string& value) {
  const ordered_json parsed = ordered_json::parse(value, nullptr, false);
  return parsed.is_discarded() ? ordered_json(value) : parsed;
}

/// "0.02" is the ratio of the first mode, "2 Hz:0.02,20 Hz:0.03" are points.
ordered_json zeta_json(const std::string& value) {
  ordered_json points = ordered_json::array();
  if (value.find(':') == std::string::npos) {
    points.push_back({{"mode", 1}, {"zeta", value_json(value)}});
    return points;
  }
  for (const std::string& piece : split_list(value, ',')) {
    const std::vector<std::string> parts = split_list(piece, ':');
    if (parts.size() != 2) throw UsageError(Problem{"--damping", fmt::format("found '{}'", piece), "'2 Hz:0.02'", ""});
    points.push_back({{"f", value_json(parts[0])}, {"zeta", value_json(parts[1])}});
  }
  return points;
}

bool looks_like_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string::npos && (text[first] == '{' || text[first] == '[' || text[first] == '"');
}

/// The ratio in "zeta=0.02" where it is one number; 0 otherwise.
double stated_zeta(const NamedModel& model) {
  for (const auto& [key, value] : model.parameters)
    if (key == "zeta") {
      const std::size_t colon = value.find(':');
      const std::string first = split_list(value, ',').front();
      const ParsedQuantity ratio =
          parse_quantity(colon == std::string::npos ? first : first.substr(colon + 1), Quantity::ratio);
      return ratio.error.empty() ? ratio.value : 0;
    }
  return 0;
}

}  // namespace

std::string damping_json(const std::string& text) {
  if (text == "none") return "[]";
  if (looks_like_json(text)) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (json.is_discarded()) throw UsageError(Problem{"--damping", fmt::format("found '{}'", text), "valid JSON", ""});
    return json.is_array() ? json.dump() : ordered_json::array({json}).dump();
  }
  const NamedModel model = read_model("--damping", text);
  ordered_json json = {{"model", model.name}};
  for (const auto& [key, value] : model.parameters) json[key] = key == "zeta" ? zeta_json(value) : value_json(value);
  return ordered_json::array({json}).dump();
}

DampingCase damping_case(const std::string& text, std::size_t num_bodies) {
  DampingCase result{text, {}, 0};
  const std::string json = damping_json(text);
  for (std::size_t body = 0; body < num_bodies; ++body)
    result.changes.push_back({fmt::format("/bodies/{}/damping", body), json});
  if (text != "none" && !looks_like_json(text)) result.asked_zeta = stated_zeta(read_model("--damping", text));
  return result;
}

DampingCase stepper_case(const std::string& text) {
  if (looks_like_json(text)) return {text, {{"/time/stepper", text}}, 0};
  const NamedModel model = read_model("--stepper", text);
  ordered_json parameters = ordered_json::object();
  for (const auto& [key, value] : model.parameters) parameters[key] = value_json(value);
  const ordered_json json = parameters.empty() ? ordered_json(model.name) : ordered_json{{model.name, parameters}};
  return {text, {{"/time/stepper", json.dump()}}, 0};
}

}  // namespace dashpot::cli
