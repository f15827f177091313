#pragma once
// Numbers that carry their first two derivatives in time: automatic differentiation of second order. A formula written
// for doubles gives exact velocities and accelerations when it is evaluated with these.

#include <cmath>

namespace dashpot::math {

struct Jet {
  double value = 0, d = 0, dd = 0;

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT: numbers mix with jets as they do with doubles
  Jet(double v, double first, double second) : value(v), d(first), dd(second) {}
};

inline Jet operator-(const Jet& a) { return {-a.value, -a.d, -a.dd}; }
inline Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.d + b.d, a.dd + b.dd}; }
inline Jet operator-(const Jet& a, const Jet& b) { return a + -b; }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.d * b.value + a.value * b.d, a.dd * b.value + 2 * a.d * b.d + a.value * b.dd};
}
/// g(a) from g and its first two derivatives at a.value.
inline Jet chain(const Jet& a, double g, double dg, double ddg) {
  // A constant stays one where dg is infinite (sqrt at 0).
  return {g, a.d == 0 ? 0 : dg * a.d, (a.dd == 0 ? 0 : dg * a.dd) + (a.d == 0 ? 0 : ddg * a.d * a.d)};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double r = 1 / b.value;
  return b.d == 0 && b.dd == 0 ? Jet{a.value / b.value, a.d / b.value, a.dd / b.value}
                               : a * chain(b, r, -r * r, 2 * r * r * r);
}

inline Jet sin(const Jet& a) { return chain(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value)); }
inline Jet cos(const Jet& a) { return chain(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value)); }
inline Jet tan(const Jet& a) {
  const double t = std::tan(a.value), s = 1 + t * t;
  return chain(a, t, s, 2 * t * s);
}
inline Jet exp(const Jet& a) { return chain(a, std::exp(a.value), std::exp(a.value), std::exp(a.value)); }
inline Jet log(const Jet& a) { return chain(a, std::log(a.value), 1 / a.value, -1 / (a.value * a.value)); }
inline Jet sqrt(const Jet& a) {
  const double r = std::sqrt(a.value);
  return chain(a, r, 0.5 / r, -0.25 / (r * a.value));
}
inline Jet abs(const Jet& a) { return a.value < 0 ? -a : a; }
inline Jet tanh(const Jet& a) {
  const double t = std::tanh(a.value), s = 1 - t * t;
  return chain(a, t, s, -2 * t * s);
}
inline Jet min(const Jet& a, const Jet& b) { return b.value < a.value ? b : a; }
inline Jet max(const Jet& a, const Jet& b) { return a.value < b.value ? b : a; }
inline Jet pow(const Jet& a, const Jet& b) {
  if (b.d == 0 && b.dd == 0) {  // also for negative bases
    const double n = b.value;
    return chain(a, std::pow(a.value, n), n == 0 ? 0 : n * std::pow(a.value, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.value, n - 2));
  }
  return exp(b * log(a));
}

}  // namespace dashpot::math
