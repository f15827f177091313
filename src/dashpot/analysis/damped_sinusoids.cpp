#include "dashpot/analysis/damped_sinusoids.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "dashpot/analysis/sinusoid_model.hpp"

namespace dashpot::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Poles exp((-sigma + i w) dt) of the signal subspace.
Eigen::VectorXcd pencil_poles(const Samples& even, double noise) {
  const auto n = static_cast<Index>(even.size());
  const Index width = n / 2;  // pencil parameter: n/3 .. n/2 is best against noise
  const Index rows = n - width;
  MatrixXd hankel(rows, width + 1);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j <= width; ++j) hankel(i, j) = even.value[static_cast<std::size_t>(i + j)];
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(hankel.transpose() * hankel);
  const VectorXd& squares = spectrum.eigenvalues();  // ascending, squared singular values
  const double noise_bound = 2 * noise * (std::sqrt(double(rows)) + std::sqrt(double(width)));
  const double floor = std::max(1e-13 * squares[width], noise_bound * noise_bound);
  Index rank = 0;
  while (rank < std::min<Index>(width, 24) && squares[width - rank] > floor) ++rank;
  if (rank == 0) return {};
  const MatrixXd basis = spectrum.eigenvectors().rightCols(rank);
  const MatrixXd shift = basis.topRows(width).colPivHouseholderQr().solve(basis.bottomRows(width));
  return Eigen::EigenSolver<MatrixXd>(shift, false).eigenvalues();
}

double energy_over(const DampedMode& mode, double duration) {
  const double s = 2 * mode.decay_rate * duration;
  const double mean_square = std::abs(s) < 1e-9 ? 1 : -std::expm1(-s) / s;
  return mode.amplitude() * mode.amplitude() * mean_square;
}

void sort_by_energy(std::vector<DampedMode>& modes, double duration) {
  std::sort(modes.begin(), modes.end(), [&](const DampedMode& a, const DampedMode& b) {
    return energy_over(a, duration) > energy_over(b, duration);
  });
}

VectorXd pack(const std::vector<DampedMode>& modes) {
  VectorXd p = VectorXd::Zero(static_cast<Index>(4 * modes.size() + 2));
  for (std::size_t m = 0; m < modes.size(); ++m) {
    p[static_cast<Index>(4 * m)] = modes[m].decay_rate;
    p[static_cast<Index>(4 * m + 1)] = modes[m].omega;
  }
  return p;
}

void unpack(const VectorXd& p, double span, ModeFit& fit) {
  for (std::size_t m = 0; m < fit.modes.size(); ++m) {
    const auto k = static_cast<Index>(4 * m);
    DampedMode& mode = fit.modes[m];
    mode.decay_rate = p[k];
    mode.omega = std::abs(p[k + 1]);
    mode.cosine = p[k + 2];
    mode.sine = p[k + 1] < 0 ? -p[k + 3] : p[k + 3];
  }
  fit.rest = p[p.size() - 2];
  fit.drift = p[p.size() - 1] / span;
}

/// Standard deviations of the exponents from the residual and the curvature of the sum of squares.
void estimate_deviations(const SinusoidModel& model, const VectorXd& p, double squares, ModeFit& fit) {
  const double freedom = std::max(1.0, static_cast<double>(model.count()) - static_cast<double>(p.size()));
  Linearized at;
  model.evaluate(p, &at);
  const VectorXd scale = at.normal.diagonal().cwiseSqrt().cwiseMax(1e-300);
  const MatrixXd scaled = scale.cwiseInverse().asDiagonal() * at.normal * scale.cwiseInverse().asDiagonal();
  const MatrixXd inverse = scaled.completeOrthogonalDecomposition().pseudoInverse();
  const double variance = squares / freedom;
  for (std::size_t m = 0; m < fit.modes.size(); ++m) {
    const auto k = static_cast<Index>(4 * m);
    fit.modes[m].decay_rate_deviation = std::sqrt(variance * std::max(0.0, inverse(k, k))) / scale[k];
    fit.modes[m].omega_deviation = std::sqrt(variance * std::max(0.0, inverse(k + 1, k + 1))) / scale[k + 1];
  }
}

/// A refinement that leaves the neighborhood of its starting exponents has lost its mode.
bool stays_near(const VectorXd& p, const VectorXd& start) {
  if (!p.allFinite()) return false;
  for (Index k = 0; k + 3 < p.size(); k += 4) {
    const double omega = start[k + 1];
    if (!(std::abs(p[k + 1] / omega - 1) < 0.3 && std::abs(p[k] - start[k]) < 0.5 * omega)) return false;
  }
  return true;
}

}  // namespace

double DampedMode::amplitude() const { return std::hypot(cosine, sine); }
double DampedMode::zeta() const { return decay_rate / std::hypot(decay_rate, omega); }
double DampedMode::frequency() const { return omega / (2 * std::numbers::pi); }
double DampedMode::natural_frequency() const { return std::hypot(decay_rate, omega) / (2 * std::numbers::pi); }

double DampedMode::zeta_deviation() const {
  const double square = decay_rate * decay_rate + omega * omega;
  return std::hypot(omega * decay_rate_deviation, decay_rate * omega_deviation) * omega / std::pow(square, 1.5);
}

double DampedMode::value(double t) const {
  return std::exp(-decay_rate * t) * (cosine * std::cos(omega * t) + sine * std::sin(omega * t));
}

double ModeFit::value(double time) const {
  const double t = time - start_time;
  double sum = rest + drift * t;
  for (const DampedMode& mode : modes) sum += mode.value(t);
  return sum;
}

std::vector<DampedMode> find_modes(const Samples& even, double noise, double relative_threshold, int max_modes) {
  const double dt = even.duration() / static_cast<double>(even.size() - 1);
  std::vector<DampedMode> modes;
  for (const std::complex<double> pole : pencil_poles(even, noise)) {
    const double omega = std::arg(pole) / dt, sigma = -std::log(std::abs(pole)) / dt;
    const bool turns = omega * even.duration() > std::numbers::pi && omega * dt < 0.95 * std::numbers::pi;
    // A pole that grows by more than e^2 over the record is an artifact of a signal that is no sum of exponentials.
    const bool is_plausible = sigma * even.duration() > -2 && sigma < 3 * omega && sigma * dt < 3;
    if (turns && is_plausible) modes.push_back({sigma, omega});
  }
  if (modes.empty()) return modes;
  const SinusoidModel model(even, even.size(), modes.size());
  VectorXd p = pack(modes);
  model.solve_linear(p);
  ModeFit fit;
  fit.modes = std::move(modes);
  unpack(p, model.span(), fit);
  double largest = 0;
  for (const DampedMode& mode : fit.modes) largest = std::max(largest, mode.amplitude());
  std::erase_if(fit.modes, [&](const DampedMode& mode) {
    return mode.amplitude() < relative_threshold * largest || mode.amplitude() < 3 * noise;
  });
  sort_by_energy(fit.modes, even.duration());
  if (static_cast<int>(fit.modes.size()) > max_modes) fit.modes.resize(static_cast<std::size_t>(max_modes));
  return fit.modes;
}

ModeFit fit_modes(const Samples& samples, std::vector<DampedMode> initial) {
  ModeFit fit;
  fit.start_time = samples.time.front();
  fit.modes = std::move(initial);
  if (fit.modes.empty()) return fit;
  const VectorXd start = pack(fit.modes);
  VectorXd p = start;
  double slowest = INFINITY;
  for (const DampedMode& mode : fit.modes) slowest = std::min(slowest, mode.omega);
  double span = 6 * 2 * std::numbers::pi / slowest;  // six cycles: short enough that the phase of a rough guess holds
  for (bool is_last = false; !is_last; span *= 3) {
    const auto end = std::upper_bound(samples.time.begin(), samples.time.end(), samples.time.front() + span);
    std::size_t count = std::max<std::size_t>(static_cast<std::size_t>(end - samples.time.begin()),
                                              static_cast<std::size_t>(3 * p.size()));
    is_last = count >= samples.size();
    count = std::min(count, samples.size());
    const SinusoidModel model(samples, count, fit.modes.size());
    model.solve_linear(p);
    VectorXd trial = p;
    double squares = 0;
    const bool converged = minimize(model, trial, squares) && stays_near(trial, start);
    if (stays_near(trial, start)) p = trial;
    if (!is_last) continue;
    squares = model.evaluate(p, nullptr);
    fit.converged = converged;
    fit.residual_rms = std::sqrt(squares / static_cast<double>(count));
    unpack(p, model.span(), fit);
    estimate_deviations(model, p, squares, fit);
  }
  sort_by_energy(fit.modes, samples.duration());
  return fit;
}

}  // namespace dashpot::analysis
