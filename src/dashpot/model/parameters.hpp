#pragma once
// Parameters: every number of a System that a user may set, fit, learn or turn while it runs (moduli, densities,
// damping coefficients, gains, friction), with name, unit and range. The layout belongs to the System; values belong to
// a run (State::parameters), and System::with(values) gives the System that has them. docs/design/0009.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/units.hpp"

namespace dashpot {

/// A parameter of a model: one number, or a list of numbers of one kind (knots, modes, elements).
struct ParameterInfo {
  std::string name;  ///< within the model, e.g. "alpha", "regions/1/young"; in a layout with its place before it
  Quantity quantity = Quantity::number;
  std::vector<double> values;                                      ///< those it was built with
  double low = 0, high = std::numeric_limits<double>::infinity();  ///< admissible values
  bool is_open = false;                                            ///< low and high themselves are not admissible
  /// "s", "Pa"; empty for plain numbers.
  std::string unit() const { return quantity_info(quantity).unit; }
  bool admits(double value) const;
  /// "alpha >= 0 1/s", "-1 < poisson < 0.5".
  std::string range_text() const;
};

/// The parameters of one model, in the order of their values.
using ParameterList = std::vector<ParameterInfo>;

/// The values of a list, one after the other.
std::vector<double> values_of(const ParameterList& list);
/// With `prefix` and "/" before every name; an empty prefix changes nothing. A name that begins with "/" is a place of
/// its own (what several bodies share) and stays.
ParameterList prefixed(const std::string& prefix, ParameterList list);

/// All parameters of a System.
class ParameterLayout {
 public:
  struct Entry {
    ParameterInfo info;
    int first = 0;  ///< where its values begin
    int size() const { return static_cast<int>(info.values.size()); }
  };
  /// Where the values of a term stand among all.
  struct Range {
    int first = 0, size = 0;
  };
  /// Adds the parameters of a term and tells where the values of each are. A parameter of the same place, name and
  /// values is the same one (Young's modulus of a sheet acts in stretch and in bending); other namesakes get "#2", ...
  std::vector<Range> add(const std::string& place, const ParameterList& list);

  const std::vector<Entry>& entries() const { return entries_; }
  int size() const { return size_; }
  /// What the System was built with.
  std::vector<double> nominal() const;
  /// The entry of this name; dashpot::Error, with the nearest name, where there is none.
  const Entry& at(std::string_view name) const;
  const Entry* find(std::string_view name) const;
  /// values[name] = value for all its numbers; dashpot::Error where it is unknown or out of range. Empty `values` are
  /// the nominal ones.
  void set(std::string_view name, double value, std::vector<double>& values) const;
  /// Throws dashpot::Error with all values that are out of range, or when their number is wrong.
  void check(const std::vector<double>& values) const;

 private:
  std::vector<Entry> entries_;
  int size_ = 0;
};

/// A coefficient of elements, by part of the body: element e has values[of_element[e]], times its factor. What a region
/// does not override is shared with the rest of the body, so that turning it turns both.
struct PartwiseValue {
  std::vector<double> values = {0.0};
  std::vector<std::string> names = {""};  ///< what stands before the coefficient's name: "" or "regions/1/"
  std::vector<int> of_element;            ///< empty: all elements have values[0]
  std::vector<double> factors;            ///< painted on the elements, times these values; empty: 1. No parameters.

  PartwiseValue() = default;
  /// One value for all elements.
  explicit PartwiseValue(double value) : values{value} {}
  /// A field: every element has its own value, in one list.
  PartwiseValue(std::vector<double> by_element);

  double of(int e) const {
    const auto i = static_cast<std::size_t>(e);
    const double value = values[of_element.empty() ? 0 : static_cast<std::size_t>(of_element[i])];
    return factors.empty() ? value : factors[i] * value;
  }
  std::vector<double> expanded(int num_elements) const;
  bool is_field() const { return names.empty(); }
  /// As parameters called `name`; a field is one list. `low`, `high`: admissible.
  ParameterList parameters(const std::string& name, Quantity quantity, double low = 0,
                           double high = std::numeric_limits<double>::infinity(), bool is_open = false) const;
  /// gradient[k] += sum of by_element over the elements that have value k; moves the pointer behind its values.
  void add_gradient(const std::vector<double>& by_element, double*& gradient) const;
  /// Takes its values from a list of all of them and moves the pointer behind them.
  PartwiseValue with(const double*& values) const;
};

/// The same of anything else than one number: three moduli, the points of a curve.
template <class T>
struct Partwise {
  std::vector<T> values = {T()};
  std::vector<std::string> names = {""};
  std::vector<int> of_element;  ///< empty: all elements have values[0]

  const T& of(int e) const {
    return values[of_element.empty() ? 0 : static_cast<std::size_t>(of_element[static_cast<std::size_t>(e)])];
  }
};

}  // namespace dashpot
