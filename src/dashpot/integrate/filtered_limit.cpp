#include "dashpot/integrate/filtered_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/integrate/work_account.hpp"
#include "dashpot/math/largest_eigenvalue.hpp"

namespace dashpot {
namespace {

constexpr double longest_factor = 1e4;  ///< of the undamped limit: what lies beyond counts as no limit
constexpr double tolerance = 1e-3;      ///< of the limit

/// The linear maps of one System at one state, on vectors of all dofs that vanish where not free.
class Maps {
 public:
  Maps(const System& system, const State& state, const BlockMatrix& K) : system_(system), state_(state), K_(K) {}

  Vector start() {
    Vector v = math::lanczos_start(system_.num_dofs()), p(v.size());
    keep_free(v);
    multiply_mass(v, p);
    return p;
  }
  /// What the filters make of v over h.
  void filter(double h, const Vector& v, Vector& result) {
    if (h != h_) {
      h_ = h;
      offset_ = Vector::Zero(v.size());
      run_filters(offset_);
    }
    result = v;
    run_filters(result);
    result -= offset_;  // of supports that move
    keep_free(result);
  }
  void multiply_mass(const Vector& v, Vector& p) {
    const Vector zero = Vector::Zero(v.size());
    Vector whole = v;
    if (!system_.ties().empty()) system_.ties().follow(whole);
    p = zero;
    system_.inertia().add_force(state_.q, zero, whole, p);
    system_.reduce(p);
    keep_free(p);
  }
  void divide_mass(const Vector& p, Vector& v) {
    v.setZero(p.size());
    usable_ &= mass_.correct(system_, state_.q, -p, v);
    keep_free(v);
  }
  void multiply_stiffness(const Vector& v, Vector& f) {
    K_.multiply(v, f);
    keep_free(f);
  }
  /// B (I + B)^-1 v = v - (I + B)^-1 v, by Chebyshev iteration: the spectrum of I + B lies in [1, 2], so that 13 steps
  /// reach 1e-9.
  void blend(double h, Vector& v) {
    constexpr double center = 1.5, radius = 0.5, ratio = center / radius;
    Vector x = v / center, step = x, Bx;
    double rho = 1 / ratio;
    for (int k = 0; k < 13; ++k) {
      filter(h, x, Bx);
      const double next = 1 / (2 * ratio - rho);
      step = next * rho * step + 2 * next / radius * (v - x - Bx);
      rho = next;
      x += step;
    }
    v -= x;
  }
  bool usable() const { return usable_; }

 private:
  void keep_free(Vector& x) const {
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (system_.is_free()[static_cast<std::size_t>(i)] == 0) x[i] = 0;
  }
  void run_filters(Vector& v) {
    StepWork work(system_.dissipations().size() + system_.filters().size());
    usable_ &= filter_velocities(system_, state_.q, state_.time, h_, mass_, v, work);
  }

  const System& system_;
  const State& state_;
  const BlockMatrix& K_;
  MassSolver mass_;
  double h_ = -1;
  Vector offset_;
  bool usable_ = true;
};

/// B (x + y) = B x + B y, (x, M B y) = (B x, M y) and (x, M B x) <= (x, M x), on a few vectors.
bool is_linear_contraction(const System& system, Maps& maps, double h, Eigen::Index size) {
  Vector x = math::lanczos_start(size), y(size), Bx, By, Bsum, Mx(size), My(size);
  for (int trial = 0; trial < 3; ++trial) {
    for (Eigen::Index i = 0; i < size; ++i) y[i] = std::cos(1.3 * static_cast<double>(i * (trial + 1)) + 0.7 * trial);
    maps.multiply_mass(x, Mx);
    maps.multiply_mass(y, My);
    maps.divide_mass(Mx, x);  // free dofs only
    maps.divide_mass(My, y);
    maps.filter(h, x, Bx);
    maps.filter(h, y, By);
    maps.filter(h, x + y, Bsum);
    const double xx = dot(system, Mx, x), yy = dot(system, My, y);
    if (!(maps.usable() && all_finite(system, Bsum))) return false;
    if (norm(system, Bsum - Bx - By) > 1e-9 * (norm(system, x) + norm(system, y))) return false;
    if (std::abs(dot(system, Mx, By) - dot(system, My, Bx)) > 1e-9 * std::sqrt(xx * yy)) return false;
    if (dot(system, Mx, Bx) > xx * (1 + 1e-12)) return false;
    x = y;
  }
  return true;
}

/// lambda_max( B (I + B)^-1 M^-1 K ) [1/s^2] at h.
double blended_eigenvalue(Maps& maps, const Vector& start, double h) {
  const math::LargestEigenvalue found = math::largest_eigenvalue(
      start, [&](const Vector& v, Vector& f) { maps.multiply_stiffness(v, f); },
      [&](const Vector& p, Vector& v) {
        maps.divide_mass(p, v);
        maps.blend(h, v);
      },
      {.tolerance = tolerance, .max_steps = 60});
  return found.value + found.residual;
}

/// Whether the filters reverse no motion: the largest eigenvalue of I - B is at most 1.
bool reverses_nothing(const System& system, Maps& maps, const Vector& start, double h) {
  for (const auto& filter : system.filters())
    if (!filter->refusal_reason(h).empty()) return false;
  Vector Bv;
  const math::LargestEigenvalue found = math::largest_eigenvalue(
      start,
      [&](const Vector& v, Vector& p) {
        maps.filter(h, v, Bv);
        maps.multiply_mass(v - Bv, p);
      },
      [&](const Vector& p, Vector& v) { maps.divide_mass(p, v); }, {.tolerance = tolerance, .max_steps = 60});
  return found.value <= 1 + 1e-9;
}

}  // namespace

FilteredLimit filtered_limit(const System& system, const State& state, const BlockMatrix& K, double undamped_dt) {
  FilteredLimit limit{FilteredLimit::Kind::modes, undamped_dt};
  if (system.filters().empty() || !std::isfinite(undamped_dt)) return limit;
  Maps maps(system, state, K);
  if (!is_linear_contraction(system, maps, 1e-3 * undamped_dt, system.num_dofs()))
    return {FilteredLimit::Kind::not_linear, undamped_dt};
  const Vector start = maps.start();

  // Up to where nothing is reversed; beyond, the condition below does not hold.
  const auto without_overshoot = [&](double good, double wanted) {
    if (reverses_nothing(system, maps, start, wanted)) return wanted;
    double bad = wanted;
    while (bad - good > tolerance * bad) {
      const double middle = 0.5 * (good + bad);
      (reverses_nothing(system, maps, start, middle) ? good : bad) = middle;
    }
    return good;
  };
  double h = without_overshoot(0, undamped_dt);
  if (h < undamped_dt) return {FilteredLimit::Kind::overshoot, h};
  for (int k = 0; k < 60; ++k) {
    // A filter may be linear for short steps only (factors that cap it).
    if (!is_linear_contraction(system, maps, h, system.num_dofs()))
      return {FilteredLimit::Kind::not_linear, undamped_dt};
    const double lambda = blended_eigenvalue(maps, start, h);
    if (!maps.usable()) return {FilteredLimit::Kind::not_linear, undamped_dt};
    const double next = lambda > 0 ? std::sqrt(2 / lambda) : std::numeric_limits<double>::infinity();
    const double reachable = std::min(next, longest_factor * undamped_dt);
    if (reachable <= h * (1 + tolerance)) {
      limit.dt = std::max(h, reachable);
      return limit;
    }
    const double allowed = without_overshoot(h, reachable);
    if (allowed < reachable) return {FilteredLimit::Kind::overshoot, allowed};
    h = reachable;
    if (h >= longest_factor * undamped_dt) {
      limit.dt = std::numeric_limits<double>::infinity();
      return limit;
    }
  }
  limit.dt = h;
  return limit;
}

}  // namespace dashpot
