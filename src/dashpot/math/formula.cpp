#include "dashpot/math/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

using Step = Formula::Step;

struct Function {
  const char* name;
  int arguments;
};
constexpr std::array<Function, 10> functions = {{{"sin", 1},
                                                 {"cos", 1},
                                                 {"tan", 1},
                                                 {"exp", 1},
                                                 {"log", 1},
                                                 {"sqrt", 1},
                                                 {"abs", 1},
                                                 {"tanh", 1},
                                                 {"min", 2},
                                                 {"max", 2}}};

/// Function number `index` of the table; b is the second argument where there is one.
template <class Scalar>
Scalar call(int index, const Scalar& a, const Scalar& b) {
  using std::abs, std::cos, std::exp, std::log, std::max, std::min, std::sin, std::sqrt, std::tan, std::tanh;
  switch (index) {
    case 0:
      return sin(a);
    case 1:
      return cos(a);
    case 2:
      return tan(a);
    case 3:
      return exp(a);
    case 4:
      return log(a);
    case 5:
      return sqrt(a);
    case 6:
      return abs(a);
    case 7:
      return tanh(a);
    case 8:
      return min(a, b);
    default:
      return max(a, b);
  }
}

/// sum = product {(+|-) product}; product = factor {(*|/) factor}; factor = [-] power; power = atom [^ factor].
class Reader {
 public:
  Reader(std::string_view text, bool knows_time) : text_(text), knows_time_(knows_time) {}

  std::vector<Step> run() {
    read_sum(0);
    skip();
    if (i_ < text_.size()) fail("nothing more");
    return std::move(steps_);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = i_ < text_.size() ? fmt::format("'{}' at character {}", text_[i_], i_ + 1) : "the end";
    throw Error(Problem{"", fmt::format("formula \"{}\": {}", text_.substr(0, 80), found), expected});
  }
  void skip() {
    while (i_ < text_.size() && text_[i_] == ' ') ++i_;
  }
  bool take(char c) {
    skip();
    if (i_ >= text_.size() || text_[i_] != c) return false;
    ++i_;
    return true;
  }
  void emit(Step::Kind kind) { steps_.push_back({kind}); }

  void read_sum(int depth) {
    if (depth > 50) fail("a formula that is not nested so deeply");
    read_product(depth);
    for (;;) {
      if (take('+')) {
        read_product(depth);
        emit(Step::Kind::add);
      } else if (take('-')) {
        read_product(depth);
        emit(Step::Kind::subtract);
      } else {
        return;
      }
    }
  }

  void read_product(int depth) {
    read_factor(depth);
    for (;;) {
      if (take('*')) {
        read_factor(depth);
        emit(Step::Kind::multiply);
      } else if (take('/')) {
        read_factor(depth);
        emit(Step::Kind::divide);
      } else {
        return;
      }
    }
  }

  void read_factor(int depth) {
    if (depth > 50) fail("a formula that is not nested so deeply");
    if (take('-')) {
      read_factor(depth + 1);
      return emit(Step::Kind::negate);
    }
    read_atom(depth);
    if (take('^')) {
      read_factor(depth + 1);
      emit(Step::Kind::power);
    }
  }

  void read_atom(int depth) {
    skip();
    if (take('(')) {
      read_sum(depth + 1);
      if (!take(')')) fail("')'");
      return;
    }
    double value = 0;
    const char* begin = text_.data() + i_;
    const bool digit =
        i_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[i_])) != 0 || text_[i_] == '.');
    if (digit) {
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
      if (error != std::errc()) fail("a number");
      i_ += static_cast<std::size_t>(end - begin);
      steps_.push_back({Step::Kind::constant, value});
      return;
    }
    read_name(depth);
  }

  void read_name(int depth) {
    std::size_t n = 0;
    while (i_ + n < text_.size() && std::isalpha(static_cast<unsigned char>(text_[i_ + n])) != 0) ++n;
    const std::string_view name = text_.substr(i_, n);
    if (name.size() == 1 && name[0] >= 'X' && name[0] <= 'Z') {
      i_ += n;
      steps_.push_back({Step::Kind::variable, 0, name[0] - 'X'});
      return;
    }
    if (knows_time_ && name == "t") {
      i_ += n;
      steps_.push_back({Step::Kind::variable, 0, 3});
      return;
    }
    if (name == "pi") {
      i_ += n;
      steps_.push_back({Step::Kind::constant, std::numbers::pi});
      return;
    }
    for (std::size_t k = 0; k < functions.size(); ++k) {
      if (name != functions[k].name) continue;
      i_ += n;
      if (!take('(')) fail("'('");
      read_sum(depth + 1);
      if (functions[k].arguments == 2) {
        if (!take(',')) fail("','");
        read_sum(depth + 1);
      }
      if (!take(')')) fail("')'");
      steps_.push_back({Step::Kind::function, 0, static_cast<int>(k)});
      return;
    }
    fail(fmt::format("a number, X, Y, Z,{} pi, '(' or one of sin cos tan exp log sqrt abs tanh min max",
                     knows_time_ ? " t," : ""));
  }

  std::string_view text_;
  bool knows_time_;
  std::size_t i_ = 0;
  std::vector<Step> steps_;
};

template <class Scalar>
Scalar apply(Step::Kind kind, const Scalar& a, const Scalar& b) {
  using std::pow;
  switch (kind) {
    case Step::Kind::add:
      return a + b;
    case Step::Kind::subtract:
      return a - b;
    case Step::Kind::multiply:
      return a * b;
    case Step::Kind::divide:
      return a / b;
    default:
      return pow(a, b);
  }
}

template <class Scalar>
Scalar run(const std::vector<Step>& steps, const std::array<Scalar, 4>& variables) {
  std::vector<Scalar> stack;
  const auto pop = [&] {
    const Scalar top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::constant) {
      stack.push_back(step.value);
    } else if (step.kind == Step::Kind::variable) {
      stack.push_back(variables[static_cast<std::size_t>(step.index)]);
    } else if (step.kind == Step::Kind::negate) {
      stack.back() = -stack.back();
    } else if (step.kind == Step::Kind::function) {
      const Scalar b = functions[static_cast<std::size_t>(step.index)].arguments == 2 ? pop() : Scalar(0);
      stack.back() = call(step.index, stack.back(), b);
    } else {
      const Scalar b = pop();
      stack.back() = apply(step.kind, stack.back(), b);
    }
  }
  return stack.back();
}

}  // namespace

Formula Formula::parse(std::string_view text) {
  Formula formula;
  formula.steps_ = Reader(text, false).run();
  return formula;
}

Formula Formula::parse_in_time(std::string_view text) {
  Formula formula;
  formula.steps_ = Reader(text, true).run();
  return formula;
}

double Formula::evaluate(const Vec3& X) const { return run<double>(steps_, {X.x(), X.y(), X.z(), 0}); }

math::Jet Formula::evaluate(const Vec3& X, double time) const {
  return run<math::Jet>(steps_, {X.x(), X.y(), X.z(), math::Jet(time, 1, 0)});
}

}  // namespace dashpot
