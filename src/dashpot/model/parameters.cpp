#include "dashpot/model/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

bool ParameterInfo::admits(double value) const {
  return std::isfinite(value) && (is_open ? value > low && value < high : value >= low && value <= high);
}

std::string ParameterInfo::range_text() const {
  const char* sign = is_open ? "<" : "<=";
  std::string text = name;
  if (std::isfinite(low)) text = fmt::format("{:g} {} {}", low, sign, text);
  if (std::isfinite(high)) text += fmt::format(" {} {:g}", sign, high);
  return unit().empty() ? text : fmt::format("{} [{}]", text, unit());
}

std::vector<double> values_of(const ParameterList& list) {
  std::vector<double> values;
  for (const ParameterInfo& info : list) values.insert(values.end(), info.values.begin(), info.values.end());
  return values;
}

ParameterList prefixed(const std::string& prefix, ParameterList list) {
  if (!prefix.empty())
    for (ParameterInfo& info : list)
      if (!info.name.starts_with('/')) info.name = prefix + "/" + info.name;
  return list;
}

std::vector<ParameterLayout::Range> ParameterLayout::add(const std::string& place, const ParameterList& list) {
  std::vector<Range> ranges;
  for (const ParameterInfo& info : prefixed(place, list)) {
    const Entry* known = find(info.name);
    if (known == nullptr || known->info.values != info.values) {
      Entry entry{info, size_};
      for (int k = 2; find(entry.info.name) != nullptr; ++k) entry.info.name = fmt::format("{}#{}", info.name, k);
      size_ += entry.size();
      entries_.push_back(std::move(entry));
      known = &entries_.back();
    }
    ranges.push_back({known->first, known->size()});
  }
  return ranges;
}

std::vector<double> ParameterLayout::nominal() const {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(size_));
  for (const Entry& entry : entries_) values.insert(values.end(), entry.info.values.begin(), entry.info.values.end());
  return values;
}

const ParameterLayout::Entry* ParameterLayout::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.info.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

const ParameterLayout::Entry& ParameterLayout::at(std::string_view name) const {
  if (const Entry* entry = find(name)) return *entry;
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.info.name);
  const std::string nearest = nearest_name(std::string(name), names);
  throw Error(Problem{std::string(name), "no parameter of this name", "a parameter of the scene",
                      nearest.empty() ? "`dashpot parameters` lists them" : fmt::format("did you mean {}?", nearest)});
}

void ParameterLayout::set(std::string_view name, double value, std::vector<double>& values) const {
  const Entry& entry = at(name);
  if (!entry.info.admits(value))
    throw Error(Problem{entry.info.name, describe_quantity(value, entry.info.quantity), entry.info.range_text(), ""});
  if (values.empty()) values = nominal();
  std::fill_n(values.begin() + entry.first, entry.size(), value);
}

void ParameterLayout::check(const std::vector<double>& values) const {
  if (static_cast<int>(values.size()) != size_)
    throw Error(Problem{"", fmt::format("{} values of parameters", values.size()), fmt::format("{}", size_), ""});
  std::vector<Problem> problems;
  for (const Entry& entry : entries_)
    for (int k = 0; k < entry.size(); ++k) {
      const double value = values[static_cast<std::size_t>(entry.first + k)];
      if (!entry.info.admits(value))
        problems.push_back(
            {entry.info.name, describe_quantity(value, entry.info.quantity), entry.info.range_text(), ""});
    }
  if (!problems.empty()) throw Error(std::move(problems));
}

PartwiseValue::PartwiseValue(std::vector<double> by_element)
    : values(std::move(by_element)), names(), of_element(values.size()) {
  std::iota(of_element.begin(), of_element.end(), 0);
}

std::vector<double> PartwiseValue::expanded(int num_elements) const {
  std::vector<double> result(static_cast<std::size_t>(num_elements));
  for (int e = 0; e < num_elements; ++e) result[static_cast<std::size_t>(e)] = of(e);
  return result;
}

ParameterList PartwiseValue::parameters(const std::string& name, Quantity quantity, double low, double high,
                                        bool is_open) const {
  if (is_field()) return {{name, quantity, values, low, high, is_open}};
  ParameterList list;
  for (std::size_t k = 0; k < values.size(); ++k)
    list.push_back({names[k] + name, quantity, {values[k]}, low, high, is_open});
  return list;
}

void PartwiseValue::add_gradient(const std::vector<double>& by_element, double*& gradient) const {
  for (std::size_t e = 0; e < by_element.size(); ++e)
    gradient[of_element.empty() ? 0 : of_element[e]] += factors.empty() ? by_element[e] : factors[e] * by_element[e];
  gradient += values.size();
}

PartwiseValue PartwiseValue::with(const double*& from) const {
  PartwiseValue result = *this;
  std::copy_n(from, values.size(), result.values.begin());
  from += values.size();
  return result;
}

}  // namespace dashpot
