#include "dashpot/integrate/table_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace dashpot {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t num_carried = static_cast<std::size_t>(Known::first_stage);

/// A vector of the step as a combination of q_n, v_n, a_n, q_{n-1} - q_n, v_{n-1}.
using Row = Eigen::Matrix<double, 1, 5>;

bool uses(const StageTable& table, Known known) {
  const auto in = [&](const LinearForm& form) { return form[known] != 0; };
  return in(table.displacement_end) || in(table.v_end) || in(table.a_end) ||
         std::any_of(table.stages.begin(), table.stages.end(), [&](const Stage& stage) {
           return in(stage.v) || in(stage.a) || (stage.explicit_displacement && in(*stage.explicit_displacement));
         });
}

/// Whether a at the end balances the forces at the end.
bool ends_in_balance(const StageTable& table) {
  const Stage& last = table.stages.back();
  return table.ends_at_last_stage && !last.explicit_displacement && agree(table.a_end, last.a, 0) &&
         agree(table.v_end, last.v, 0);
}

/// Eigenvalues of a real 2x2 matrix. The discriminant is formed from the off-diagonal products, not as tr^2/4 - det,
/// which would cancel for small steps; for a conjugate pair |lambda|^2 = det.
std::vector<std::complex<double>> eigenvalues_2x2(const Matrix& m) {
  const double half_trace = (m(0, 0) + m(1, 1)) / 2, half_gap = (m(0, 0) - m(1, 1)) / 2;
  const double discriminant = half_gap * half_gap + m(0, 1) * m(1, 0);
  if (discriminant < 0) return {{half_trace, std::sqrt(-discriminant)}, {half_trace, -std::sqrt(-discriminant)}};
  return {half_trace + std::sqrt(discriminant), half_trace - std::sqrt(discriminant)};
}

/// A driven oscillator with a known motion: q'' + c (1 + q^2) q' + k (q + q^3) = f(t).
struct KnownMotion {
  static constexpr double c = 0.4, k = 2, rate = 1.3, phase = 0.3;
  static double q(double t) { return std::sin(rate * t + phase); }
  static double v(double t) { return rate * std::cos(rate * t + phase); }
  static double a(double t) { return -rate * rate * q(t); }
  static double force(double q, double v) { return c * (1 + q * q) * v + k * (q + q * q * q); }
  static double drive(double t) { return a(t) + force(q(t), v(t)); }
};

struct ScalarState {
  double q = 0, v = 0, a = 0, d_previous = 0, v_previous = 0;
};

ScalarState scalar_step(const StageTable& table, const ScalarState& y, double time, double h) {
  std::vector<double> known = {y.v, y.a, y.d_previous, y.v_previous};
  known.resize(num_carried + table.stages.size(), 0.0);
  const auto value = [&](const LinearForm& form) {
    double sum = 0;
    for (std::size_t i = 0; i < form.size(); ++i) sum += form[i] * known[i];
    return sum;
  };
  for (std::size_t s = 0; s < table.stages.size(); ++s) {
    const Stage& stage = table.stages[s];
    double& unknown = known[num_carried + s];
    const double f = KnownMotion::drive(time + stage.time * h);
    if (stage.explicit_displacement) {
      unknown = f - KnownMotion::force(y.q + value(*stage.explicit_displacement), value(stage.v));
      continue;
    }
    unknown = value(stage.guess);
    const double v1 = stage.v[stage_unknown(s)], a1 = stage.a[stage_unknown(s)];
    for (int i = 0; i < 30; ++i) {
      const double q = y.q + unknown, v = value(stage.v);
      const double residual = value(stage.a) + KnownMotion::force(q, v) - f;
      const double slope =
          a1 + v1 * KnownMotion::c * (1 + q * q) + 2 * KnownMotion::c * q * v + KnownMotion::k * (1 + 3 * q * q);
      unknown -= residual / slope;
      if (std::abs(residual / slope) <= 1e-16 * (1 + std::abs(unknown))) break;
    }
  }
  const double d = value(table.displacement_end);
  return {y.q + d, value(table.v_end), value(table.a_end), -d, y.v};
}

/// Largest error of q and v over one run of n steps.
double error_on_known_motion(const Integrator& integrator, int n) {
  const double h = 3.0 / n;
  ScalarState y{KnownMotion::q(0), KnownMotion::v(0), KnownMotion::a(0)};
  double error = 0;
  for (int i = 0; i < n; ++i) {
    y = scalar_step(integrator.table(h, i == 0 ? 0 : h), y, i * h, h);
    error = std::max(error, std::hypot(y.q - KnownMotion::q((i + 1) * h), y.v - KnownMotion::v((i + 1) * h)));
  }
  return error;
}

}  // namespace

Recurrence recurrence(const StageTable& table, double omega, double zeta) {
  const double k = omega * omega, c = 2 * zeta * omega;
  const Row q = Row::Unit(0);
  std::vector<Row> known(num_carried + table.stages.size(), Row::Zero());  // unknowns are zero until they are found
  for (std::size_t i = 0; i < num_carried; ++i) known[i] = Row::Unit(static_cast<Eigen::Index>(i) + 1);
  const auto value = [&](const LinearForm& form) {
    Row sum = Row::Zero();
    for (std::size_t i = 0; i < form.size(); ++i)
      if (form[i] != 0) sum += form[i] * known[i];
    return sum;
  };
  for (std::size_t s = 0; s < table.stages.size(); ++s) {
    const Stage& stage = table.stages[s];
    const Row v = value(stage.v), a = value(stage.a);
    Row& unknown = known[num_carried + s];
    if (stage.explicit_displacement)
      unknown = -c * v - k * (q + value(*stage.explicit_displacement));
    else if (std::isinf(omega))
      unknown = -q;
    else
      unknown = -(a + c * v + k * q) / (stage.a[stage_unknown(s)] + c * stage.v[stage_unknown(s)] + k);
  }
  Matrix all(5, 5);
  const Row d = value(table.displacement_end);
  all << q + d, value(table.v_end), value(table.a_end), -d, known[static_cast<std::size_t>(Known::v_n)];

  Recurrence result;
  const bool uses_a = uses(table, Known::a_n), is_balanced = ends_in_balance(table) && std::isfinite(omega);
  if (uses_a && is_balanced) {
    all.col(0) -= k * all.col(2);
    all.col(1) -= c * all.col(2);
  }
  result.carries_a = uses_a && !is_balanced;
  result.carries_history = uses(table, Known::d_previous) || uses(table, Known::v_previous);
  std::vector<Eigen::Index> kept = {0, 1};
  if (result.carries_a) kept.push_back(2);
  if (result.carries_history) kept.push_back(3), kept.push_back(4);
  result.step = all(kept, kept);
  return result;
}

std::vector<std::complex<double>> amplification_eigenvalues(const Integrator& integrator, double omega_h, double zeta) {
  // Units of time in which neither h nor 1/omega is large: the matrix is then well scaled at both ends.
  const double h = std::min(omega_h, 1.0), omega = std::max(omega_h, 1.0);
  const Matrix step = recurrence(integrator.table(h, h), omega, zeta).step;
  if (step.rows() == 2) return eigenvalues_2x2(step);
  const Eigen::EigenSolver<Matrix> solver(step, false);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

double spectral_radius(const Integrator& integrator, double omega_h, double zeta) {
  if (integrator.is_explicit() && std::isinf(omega_h)) return infinite;
  double radius = 0;
  for (const std::complex<double> value : amplification_eigenvalues(integrator, omega_h, zeta))
    radius = std::max(radius, std::abs(value));
  return radius;
}

double stability_limit(const Integrator& integrator, double zeta) {
  const auto is_bounded = [&](double omega_h) { return spectral_radius(integrator, omega_h, zeta) <= 1 + 1e-6; };
  const double ratio = std::pow(10.0, 1.0 / 100), highest = 1e4;
  double good = 0;
  for (double x = 1e-3; x <= highest; x *= ratio) {
    if (is_bounded(x)) {
      good = x;
      continue;
    }
    double bad = x;
    for (int i = 0; i < 40; ++i) (is_bounded((good + bad) / 2) ? good : bad) = (good + bad) / 2;
    return good;
  }
  // Eigenvalues that meet at infinity are known to the cube root of round-off only.
  return spectral_radius(integrator, infinite, zeta) <= 1 + 1e-4 ? infinite : good;
}

int order(const Integrator& integrator) {
  return static_cast<int>(
      std::lround(std::log2(error_on_known_motion(integrator, 100) / error_on_known_motion(integrator, 200))));
}

int num_stages(const Integrator& integrator) { return static_cast<int>(integrator.table(1, 1).stages.size()); }

int solves_per_step(const Integrator& integrator) {
  const StageTable table = integrator.table(1, 1);
  return static_cast<int>(std::count_if(table.stages.begin(), table.stages.end(),
                                        [](const Stage& stage) { return !stage.explicit_displacement; }));
}

bool has_one_impulse(const Integrator& integrator) {
  const StageTable table = integrator.table(1, 1);
  return table.stages.size() == 1 && agree(table.v_end, Known::v_n + table.stages[0].a, 1e-12);
}

double energy_made_at_kink(const Integrator& integrator) {
  // Met at the share s of the step: work sum w_k (tau_k - s)_+ instead of (1 - s)^2 / 2. Integrated over s.
  const StageTable table = integrator.table(1, 1);
  double work = 0;
  for (const WorkInterval& interval : table.work)
    for (const Weight& weight : interval.force)
      work += interval.duration * weight.weight * std::pow(table.time_of(weight.where), 2) / 2;
  return 1.0 / 6 - work;
}

}  // namespace dashpot
