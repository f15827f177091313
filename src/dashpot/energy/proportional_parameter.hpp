#pragma once
// A parameter that the stiffness of elements is proportional to (Young's modulus of a strand, the stiffness of a group
// of springs): the term keeps its weights and multiplies them by new over old.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "dashpot/model/parameters.hpp"

namespace dashpot {

class ProportionalParameter {
 public:
  /// None.
  ProportionalParameter() = default;
  /// Values must be positive; where one is not, there is nothing to scale and no parameter.
  ProportionalParameter(std::string name, Quantity quantity, PartwiseValue value)
      : name_(std::move(name)), quantity_(quantity), value_(std::move(value)) {
    is_given_ = std::all_of(value_.values.begin(), value_.values.end(), [](double x) { return x > 0; });
  }

  ParameterList parameters() const {
    if (!is_given_) return {};
    return value_.parameters(name_, quantity_, 0, std::numeric_limits<double>::infinity(), true);
  }
  /// Whether `values` are others than its own.
  bool changes(const double* values) const {
    return is_given_ && !std::equal(value_.values.begin(), value_.values.end(), values);
  }
  ProportionalParameter with(const double* values) const {
    ProportionalParameter result = *this;
    result.value_ = value_.with(values);
    return result;
  }
  /// New over old, of element e.
  double ratio(const ProportionalParameter& old, int e) const { return value_.of(e) / old.value_.of(e); }

 private:
  std::string name_;
  Quantity quantity_ = Quantity::number;
  PartwiseValue value_;
  bool is_given_ = false;
};

}  // namespace dashpot
