#pragma once
// Numbers that carry their derivatives by N variables: automatic differentiation of first order, forward. A formula
// that is a template on its scalar gives its exact Jacobian when it is evaluated with these, N multiplications for one.
// For tangents that are asked for exactly and not often; those of hot loops are written out.

#include <array>
#include <cmath>

namespace dashpot::math {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> d{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: numbers mix with duals as they do with doubles
  static Dual variable(double value, int index) {
    Dual x(value);
    x.d[static_cast<std::size_t>(index)] = 1;
    return x;
  }

  /// g(x) from g and its derivative at x.value.
  friend Dual chain(const Dual& x, double g, double slope) {
    Dual y(g);
    for (std::size_t i = 0; i < N; ++i) y.d[i] = slope * x.d[i];
    return y;
  }
  /// g(x, y), likewise.
  friend Dual chain(const Dual& x, const Dual& y, double g, double by_x, double by_y) {
    Dual z(g);
    for (std::size_t i = 0; i < N; ++i) z.d[i] = by_x * x.d[i] + by_y * y.d[i];
    return z;
  }

  friend Dual operator-(const Dual& x) { return chain(x, -x.value, -1); }
  friend Dual operator+(const Dual& x, const Dual& y) { return chain(x, y, x.value + y.value, 1, 1); }
  friend Dual operator-(const Dual& x, const Dual& y) { return chain(x, y, x.value - y.value, 1, -1); }
  friend Dual operator*(const Dual& x, const Dual& y) { return chain(x, y, x.value * y.value, y.value, x.value); }
  friend Dual operator/(const Dual& x, const Dual& y) {
    return chain(x, y, x.value / y.value, 1 / y.value, -x.value / (y.value * y.value));
  }
  Dual& operator+=(const Dual& y) { return *this = *this + y; }
  Dual& operator-=(const Dual& y) { return *this = *this - y; }
  friend bool operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
  friend bool operator<=(const Dual& x, const Dual& y) { return x.value <= y.value; }
  friend bool operator>(const Dual& x, const Dual& y) { return x.value > y.value; }

  friend Dual sqrt(const Dual& x) {
    const double r = std::sqrt(x.value);
    return chain(x, r, r > 0 ? 0.5 / r : 0);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    return chain(y, x, std::atan2(y.value, x.value), x.value / square, -y.value / square);
  }
  friend Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
  friend Dual max(const Dual& x, const Dual& y) { return x.value < y.value ? y : x; }
  friend Dual min(const Dual& x, const Dual& y) { return y.value < x.value ? y : x; }
  friend Dual select(bool mask, const Dual& if_true, const Dual& if_false) { return mask ? if_true : if_false; }
};

}  // namespace dashpot::math
