#pragma once
// A formula in X, Y, Z as a scene writes it: "0.1*X^2 + 0.01*sin(2*pi*Y)"; motions also know the time t. Operators
// + - * / ^ (right to left), unary minus, parentheses; functions sin cos tan exp log sqrt abs tanh min max; constant
// pi. X, Y, Z are meters, t is seconds.

#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/math/jet.hpp"

namespace dashpot {

class Formula {
 public:
  /// dashpot::Error naming the character where reading stopped.
  static Formula parse(std::string_view text);
  /// The same for a formula that may also name the time t.
  static Formula parse_in_time(std::string_view text);
  /// Value at X; at time zero where the formula knows time.
  double evaluate(const Vec3& X) const;
  /// Value and its first two derivatives in time.
  math::Jet evaluate(const Vec3& X, double time) const;

  /// One step of the stack machine the formula is translated into.
  struct Step {
    enum class Kind { constant, variable, add, subtract, multiply, divide, power, negate, function } kind;
    double value = 0;  ///< of a constant
    int index = 0;     ///< of a variable (0, 1, 2: X, Y, Z; 3: t) or function
  };

 private:
  std::vector<Step> steps_;
};

}  // namespace dashpot
