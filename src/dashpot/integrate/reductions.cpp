#include "dashpot/integrate/reductions.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

double dot(const System&, const VectorView& x, const VectorView& y) { return x.dot(y); }

double free_dot(const System& system, const Vector& x, const Vector& y) {
  double sum = 0;
  for (const DofRange& range : system.free_ranges()) sum += dot(system, range, x, y);
  return sum;
}

double prescribed_dot(const System& system, const Vector& x, const Vector& y) {
  double sum = 0;
  int next = 0;  // the first dof behind the last free range
  for (const DofRange& range : system.free_ranges()) {
    sum += dot(system, {next, range.begin}, x, y);
    next = range.end;
  }
  return sum + dot(system, {next, static_cast<int>(x.size())}, x, y);
}

double norm(const System&, const Vector& x) { return x.norm(); }

double free_norm(const System& system, const Vector& f) {
  double squares = 0;
  for (const DofRange& range : system.free_ranges()) squares += f.segment(range.begin, range.size()).squaredNorm();
  if (!system.ties().empty()) squares = std::max(0.0, squares + system.ties().condensed_norm_gain(f, system.is_free()));
  return std::sqrt(squares);
}

double largest(const System&, const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

bool all_finite(const System&, const Vector& x) { return x.allFinite(); }

double dot(const System&, const DofRange& dofs, const Vector& x, const Vector& y) {
  return x.segment(dofs.begin, dofs.size()).dot(y.segment(dofs.begin, dofs.size()));
}

bool is_zero(const System&, const DofRange& dofs, const Vector& x) {
  return x.segment(dofs.begin, dofs.size()).isZero(0);
}

}  // namespace dashpot
