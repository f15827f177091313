#pragma once
// Radial functions phi(r) of a distance r, for interpolation between scattered centers:
//
//     gaussian       exp(-r^2 / (2 w^2))       decays: far from all centers nothing is added
//     multiquadric   sqrt(1 + r^2 / w^2)       grows in proportion to r
//     distance       r / w                     the same, with a kink at the center: no potential can be made of it

#include <cmath>

#include "dashpot/math/scalar.hpp"

namespace dashpot::math {

enum class RadialKernel { gaussian, multiquadric, distance };

/// phi, phi'/r and (phi'/r)'/r. The distance kernel is taken at r >= 1e-8.
template <class T>
struct RadialSample {
  T value, slope, curvature;
};

inline double exponential(double x) { return std::exp(x); }
template <class T>
inline T exponential(T x) {
  T y;
  for (int lane = 0; lane < T::size; ++lane) y.set(lane, std::exp(x[lane]));
  return y;
}

template <class T>
inline RadialSample<T> sample(RadialKernel kernel, T r2, double width) {
  const T per_square(1 / (width * width));
  if (kernel == RadialKernel::gaussian) {
    const T value = exponential(T(-0.5) * per_square * r2), slope = -per_square * value;
    return {value, slope, -per_square * slope};
  }
  if (kernel == RadialKernel::multiquadric) {
    const T value = sqrt(T(1.0) + per_square * r2), slope = per_square / value;
    return {value, slope, -slope * per_square / (value * value)};
  }
  const T r = sqrt(max(r2, T(1e-16))), slope = T(1 / width) / r;
  return {T(1 / width) * r, slope, -slope / (r * r)};
}

}  // namespace dashpot::math
