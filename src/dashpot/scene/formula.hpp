#pragma once
// A formula in X, Y, Z as a scene writes it: "0.1*X^2 + 0.01*sin(2*pi*Y)". Operators + - * / ^ (right to left), unary
// minus, parentheses; functions sin cos tan exp log sqrt abs tanh min max; constant pi. X, Y, Z are metres.

#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class Formula {
 public:
  /// dashpot::Error naming the character where reading stopped.
  static Formula parse(std::string_view text);
  double evaluate(const Vec3& X) const;

  /// One step of the stack machine the formula is translated into.
  struct Step {
    enum class Kind { constant, variable, add, subtract, multiply, divide, power, negate, function } kind;
    double value = 0;  ///< of a constant
    int index = 0;     ///< of a variable or function
  };

 private:
  std::vector<Step> steps_;
};

}  // namespace dashpot
