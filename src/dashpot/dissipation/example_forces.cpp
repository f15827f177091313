// Example-based damping at an iterate: amplitudes, gains, the force and its low-rank tangent.
#include <cmath>

#include "dashpot/dissipation/example_scratch.hpp"
#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {

Vector ExampleBased::displacement(const Scratch& mine, const Vector& q) const {
  Vector u = q.segment(begin_, rows_);
  if (options_.corotated) turn(mine.rotation.transpose(), u);
  u -= origin_;
  return measure_.without_rigid(u);
}

Vector ExampleBased::amplitudes(const TermScratch* scratch, const Vector& q, const Vector& v) const {
  const auto& mine = static_cast<const Scratch&>(*scratch);
  const Matrix& P = P_of(mine);
  if (options_.input == GainInput::velocity) return transposed_times(P, v.segment(begin_, rows_));
  // P sees no rigid part where that is not counted, so the center of the body need not be taken out.
  return transposed_times(P, q.segment(begin_, rows_)) - P_origin_;
}

Vector ExampleBased::gains(const Vector& amplitudes) const {
  Vector gamma(amplitudes.size());
  for (Eigen::Index i = 0; i < gamma.size(); ++i)
    gamma[i] = examples_[static_cast<std::size_t>(i)].gain.value(std::abs(amplitudes[i]));
  return gamma;
}

ExampleBased::Isotropic ExampleBased::isotropic_gain(const Scratch& mine, const Vector& q) const {
  Isotropic iso;
  if (!options_.isotropic) return iso;
  const IsotropicGain& gain = *options_.isotropic;
  if (gain.curve.is_constant()) {
    iso.gamma = gain.curve.value(0);
    return iso;
  }
  const Vector u = displacement(mine, q);
  const bool rms = gain.norm == IsotropicGain::Norm::mass_rms;
  const double size = rms ? measure_.mass_rms(u) : u.norm();
  const math::GainCurve::Sample sample = gain.curve.sample(size);
  iso.gamma = sample.value;
  if (sample.derivative == 0 || size == 0) return iso;
  iso.slope = sample.derivative;
  iso.gradient = (rms ? measure_.mass_rms_slope(u) : measure_.without_rigid_transposed(u)) / size;
  if (options_.corotated) turn(mine.rotation, iso.gradient);
  return iso;
}

double ExampleBased::evaluate(const DissipationRequest& request) const {
  const auto& mine = static_cast<const Scratch&>(*request.scratch);
  const Isotropic iso = isotropic_gain(mine, request.q);
  const bool needs_force = request.force != nullptr || iso.gradient.size() > 0;
  const bool writes = request.force != nullptr && request.force_is_zero;
  Vector own;
  if (needs_force && !writes) own.setZero(request.v.size());
  Vector& force = writes ? *request.force : own;
  DissipationRequest inner = request;
  inner.scratch = mine.base.get();
  inner.force = needs_force ? &force : nullptr;
  inner.force_is_zero = true;
  inner.dv_scale *= iso.gamma;
  inner.dq_scale *= iso.gamma;
  double power = base_->evaluate(inner);

  const ExampleBasis& basis = mine.basis;
  Vector w, all_amplitudes;
  Matrix Pi;
  if (!basis.kept.empty()) {
    Vector gamma(static_cast<Eigen::Index>(basis.kept.size()));
    if (options_.input != GainInput::constant) all_amplitudes = amplitudes(&mine, request.q, request.v);
    for (Eigen::Index i = 0; i < gamma.size(); ++i) {
      const int example = basis.kept[static_cast<std::size_t>(i)];
      const double amplitude = all_amplitudes.size() > 0 ? std::abs(all_amplitudes[example]) : 0;
      gamma[i] = examples_[static_cast<std::size_t>(example)].gain.value(amplitude);
    }
    Pi = coupling_matrix(options_.coupling, basis, gamma);
    w = transposed_times(*basis.U, request.v.segment(begin_, rows_));
    const Vector change = Pi * w - w;
    if (needs_force) add_times(*basis.U, change, force.segment(begin_, rows_));
    power += w.dot(change);
  }
  if (request.low_rank) {
    const Vector of_body = iso.gradient.size() > 0 ? Vector(force.segment(begin_, rows_)) : Vector();
    add_low_rank(request, mine, iso, Pi, w, all_amplitudes, of_body);
  }
  if (writes && iso.gamma != 1) force.segment(begin_, rows_) *= iso.gamma;
  if (request.force && !writes) request.force->segment(begin_, rows_) += iso.gamma * force.segment(begin_, rows_);
  return iso.gamma * power;
}

void ExampleBased::add_low_rank(const DissipationRequest& request, const Scratch& mine, const Isotropic& iso,
                                const Matrix& Pi, const Vector& w, const Vector& all_amplitudes,
                                const Vector& force) const {
  const ExampleBasis& basis = mine.basis;
  const Eigen::Index p = w.size();
  const int first_dof = static_cast<int>(begin_);
  const double dv = request.dv_scale * iso.gamma;
  const double dchi = options_.input == GainInput::displacement ? request.dq_scale * iso.gamma : dv;
  const bool nonlinear = options_.input != GainInput::constant;
  if (p > 0 && (dv != 0 || (nonlinear && dchi != 0))) {
    if (dv != 0)
      request.low_rank->push_back({basis.U, dv * (Pi - Matrix::Identity(p, p)), basis.U, mine.reach, first_dof});
    if (nonlinear && dchi != 0) {
      Vector gamma(p), slope(p);
      for (Eigen::Index i = 0; i < p; ++i) {
        const int example = basis.kept[static_cast<std::size_t>(i)];
        const double amplitude = all_amplitudes[example];
        const auto sample = examples_[static_cast<std::size_t>(example)].gain.sample(std::abs(amplitude));
        gamma[i] = sample.value;
        slope[i] = amplitude == 0 ? 0 : std::copysign(1.0, amplitude) * sample.derivative;
      }
      if (!slope.isZero(0))
        request.low_rank->push_back({basis.U, dchi * coupling_derivative(options_.coupling, basis, gamma, w, slope),
                                     mine.V, mine.reach, first_dof});
    }
  }
  if (iso.gradient.size() > 0 && request.dq_scale != 0)
    request.low_rank->push_back(
        {force, Matrix::Constant(1, 1, request.dq_scale * iso.slope), Matrix(iso.gradient), mine.reach, first_dof});
}

/// f = gamma_iso (C v + U (Pi - I) w), w = U^T v: what a change of gain i does is gamma_iso U (dPi/dgamma_i) w.
int ExampleBased::add_parameter_gradient(const DissipationRequest& request, const Vector& weights,
                                         double* gradient) const {
  const auto& mine = static_cast<const Scratch&>(*request.scratch);
  const ExampleBasis& basis = mine.basis;
  const Eigen::Index p = static_cast<Eigen::Index>(basis.kept.size());
  Vector amplitude = Vector::Zero(static_cast<Eigen::Index>(examples_.size()));
  if (options_.input != GainInput::constant) amplitude = amplitudes(&mine, request.q, request.v).cwiseAbs();
  Vector by_gain = Vector::Zero(amplitude.size());
  if (p > 0) {
    Vector gamma(p);
    for (Eigen::Index i = 0; i < p; ++i) {
      const int example = basis.kept[static_cast<std::size_t>(i)];
      gamma[i] = examples_[static_cast<std::size_t>(example)].gain.value(amplitude[example]);
    }
    const Vector w = transposed_times(*basis.U, request.v.segment(begin_, rows_));
    const Vector of_weights = transposed_times(*basis.U, weights.segment(begin_, rows_));
    const Matrix change = coupling_derivative(options_.coupling, basis, gamma, w, Vector::Ones(p));
    const double iso = isotropic_gain(mine, request.q).gamma;
    for (Eigen::Index i = 0; i < p; ++i)
      by_gain[basis.kept[static_cast<std::size_t>(i)]] = iso * of_weights.dot(change.col(i));
  }
  double* next = gradient;
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const auto derivatives = examples_[i].gain.knot_derivatives(amplitude[static_cast<Eigen::Index>(i)]);
    const double scale = by_gain[static_cast<Eigen::Index>(i)];
    for (const math::GainCurve::Point& d : derivatives) *next++ += scale * d.gamma;
    if (!examples_[i].gain.is_constant())
      for (const math::GainCurve::Point& d : derivatives) *next++ += scale * d.x;
  }
  return static_cast<int>(next - gradient);
}

}  // namespace dashpot
