#include "dashpot/yarn/yarn_stretch.hpp"

#include <cmath>
#include <limits>

#include "dashpot/math/dual.hpp"
#include "dashpot/yarn/family_parameters.hpp"
#include "dashpot/yarn/segment_elements.hpp"

namespace dashpot {

using formula::Segment;
using formula::SegmentGradient;
using formula::SegmentHessian;
using formula::SegmentStretch;

YarnStretch::YarnStretch(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily stiffness)
    : body_(std::move(body)), segments_(std::move(segments)), stiffness_(stiffness) {
  check_family_values(body_, parameters());
}

double YarnStretch::evaluate(const EnergyRequest& request) const {
  const YarnBatch& batch = *segments_;
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const Segment<double> s = segment_at(batch, request.q, i);
      if (!(s.D > 0)) return std::numeric_limits<double>::infinity();
      const double k = stiffness_[batch.family(i)];
      const SegmentStretch<double> at = formula::segment_stretch(s);
      SegmentGradient<double> gradient;
      sum += formula::stretch_energy(k, s, at, gradient);
      if (request.gradient != nullptr) add_segment_force(batch, i, gradient, *request.gradient);
      if (request.hessian == nullptr) continue;
      const double tension = k * at.strain;
      SegmentHessian<double> H{};
      formula::add_stretch_hessian(request.hessian_scale, k,
                                   request.projection == Projection::none ? tension : std::max(tension, 0.0), s, at, H);
      add_segment_tangent(batch, i, H, *request.hessian);
    }
    return sum;
  });
}

ParameterList YarnStretch::parameters() const {
  return family_parameters("stretch", Quantity::force, stiffness_, 0, true);
}

std::shared_ptr<EnergyTerm> YarnStretch::remade(const double* values, const Replacements&) const {
  if (values[0] == stiffness_.warp && values[1] == stiffness_.weft) return nullptr;
  auto successor = std::make_shared<YarnStretch>(*this);
  successor->stiffness_ = {values[0], values[1]};
  return successor;
}

YarnStretchDamping::YarnStretchDamping(const YarnStretch& stretch, PerFamily beta, YarnRateTangent tangent)
    : stretch_(&stretch), beta_(beta), tangent_(tangent) {
  check_family_values(body(), parameters());
}

DissipationTraits YarnStretchDamping::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.symmetric = tangent_ == YarnRateTangent::velocity;
  traits.exact_in_place = tangent_ == YarnRateTangent::exact;
  return traits;
}

namespace {

/// The force in (e, D) of viscosity c = beta k [N s] at the strain rate that (edot, Ddot) make.
template <class T>
SegmentGradient<T> stretch_damping_force(double c, const Segment<T>& s, const Segment<T>& rate) {
  const SegmentGradient<T> g = formula::segment_stretch(s).gradient;
  const T force = T(c) * s.D * (dot(g.e, rate.e) + g.D * rate.D);
  return {force * g.e, force * g.D};
}

}  // namespace

double YarnStretchDamping::evaluate(const DissipationRequest& request) const {
  const YarnBatch& batch = stretch_->batch();
  return batch.sum_over_chunks([&](int begin, int end) {
    double power = 0;
    for (int i = begin; i < end; ++i) {
      const double c = beta_[batch.family(i)] * stretch_->stiffness()[batch.family(i)];
      const Segment<double> s = segment_at(batch, request.q, i), rate = segment_difference(batch, request.v, i);
      const SegmentGradient<double> g = formula::segment_stretch(s).gradient;
      const double strain_rate = dot(g.e, rate.e) + g.D * rate.D, force = c * s.D * strain_rate;
      power += force * strain_rate;
      if (request.force != nullptr) add_segment_force(batch, i, {force * g.e, force * g.D}, *request.force);
      if (request.tangent == nullptr) continue;
      SegmentHessian<double> H{};
      formula::add_square(request.dv_scale * c * s.D, g, H);
      add_segment_tangent(batch, i, H, *request.tangent);
      if (tangent_ == YarnRateTangent::exact && request.dq_scale != 0)
        add_segment_jacobian(
            batch, i, request.dq_scale, s,
            [&](const Segment<math::Dual<4>>& at) {
              using D = math::Dual<4>;
              return stretch_damping_force<D>(c, at, {{D(rate.e.x), D(rate.e.y), D(rate.e.z)}, D(rate.D)});
            },
            *request.tangent);
    }
    return power;
  });
}

ParameterList YarnStretchDamping::parameters() const {
  return family_parameters("stretch_damping", Quantity::time, beta_, 0, false);
}

std::shared_ptr<DissipationTerm> YarnStretchDamping::remade(const double* values,
                                                            const Replacements& replacements) const {
  auto successor = std::make_shared<YarnStretchDamping>(*this);
  successor->stretch_ = static_cast<const YarnStretch*>(replacements.of<EnergyTerm>(stretch_));
  successor->beta_ = {values[0], values[1]};
  return successor;
}

}  // namespace dashpot
