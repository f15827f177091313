#pragma once
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

/// Root of f on the segment p + t (q - p), as t; f_p and f_q have different signs. Secant steps that always keep the
/// root between the ends (Illinois), to 1e-10.
double root_on_segment(FunctionRef<double(const Vec3&)> f, const Vec3& p, const Vec3& q, double f_p, double f_q);

/// Moves x towards the nearest zero of f: a few Newton steps along its gradient, taken by differences of width eps [m].
Vec3 onto_surface(FunctionRef<double(const Vec3&)> f, Vec3 x, double eps);

}  // namespace dashpot
