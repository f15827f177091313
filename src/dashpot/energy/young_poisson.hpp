#pragma once
// Young's modulus and Poisson's ratio of a body's parts as parameters of its energy. Forces of most laws are linear in
// the Lame parameters, so their derivatives follow from those two by
//
//     lambda = E nu / ((1 + nu)(1 - 2 nu)),   mu = E / (2 (1 + nu))
//     dlambda/dE = lambda/E,   dlambda/dnu = E (1 + 2 nu^2) / ((1 + nu)(1 - 2 nu))^2
//     dmu/dE = mu/E,           dmu/dnu = -E / (2 (1 + nu)^2)

#include <span>
#include <vector>

#include "dashpot/model/parameters.hpp"

namespace dashpot {

/// d(lambda, mu) of one element by one parameter, and the column that the parameter has; -1: nobody asks for it.
struct LameShare {
  int column = -1;
  double by_lambda = 0, by_mu = 0;
};

struct YoungPoisson {
  PartwiseValue young, poisson;  ///< [Pa], -

  /// How many numbers they are: first those of Young's modulus, then those of Poisson's ratio.
  int num_values() const { return static_cast<int>(young.values.size() + poisson.values.size()); }
  ParameterList parameters() const;
  /// Takes values from a list and moves the pointer behind them.
  YoungPoisson with(const double*& values) const;
  /// Adds to the gradient of all values, given the derivatives by lambda and mu of every mesh element; moves the
  /// pointer behind them.
  void add_gradient(const std::vector<double>& by_lambda, const std::vector<double>& by_mu, double*& gradient) const;
  /// Two of each mesh element, of its Young's modulus and of its Poisson's ratio. column_of_value: of each value, or
  /// -1.
  std::vector<LameShare> shares(int num_elements, std::span<const int> column_of_value) const;
};

}  // namespace dashpot
