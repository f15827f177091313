#include "dashpot/yarn/yarn_bending.hpp"

#include <cmath>
#include <limits>

#include "dashpot/math/dual.hpp"
#include "dashpot/yarn/bend_elements.hpp"
#include "dashpot/yarn/family_parameters.hpp"

namespace dashpot {

using formula::Bend;
using formula::BendFrame;
using formula::BendGradient;

namespace {

/// (a, b, L) and (a, b, L), row-major.
void write_matrix(const formula::BendHessian<double>& H, double scale, double J[49]) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      J[7 * r + c] = scale * H.of_pair.aa[3 * r + c];
      J[7 * (3 + r) + 3 + c] = scale * H.of_pair.bb[3 * r + c];
      J[7 * r + 3 + c] = J[7 * (3 + c) + r] = scale * H.of_pair.ab[3 * r + c];
    }
  for (int r = 0; r < 3; ++r) {
    J[7 * r + 6] = J[42 + r] = scale * H.aL[r];
    J[7 * (3 + r) + 6] = J[42 + 3 + r] = scale * H.bL[r];
  }
  J[48] = scale * H.LL;
}

}  // namespace

YarnBending::YarnBending(std::string body, std::shared_ptr<YarnBatch> bends, PerFamily stiffness)
    : body_(std::move(body)), bends_(std::move(bends)), stiffness_(stiffness) {
  check_family_values(body_, parameters());
}

double YarnBending::evaluate(const EnergyRequest& request) const {
  const YarnBatch& batch = *bends_;
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const Bend<double> bend = bend_at(batch, bend_along, request.q, i);
      if (!(bend.L > 0)) return std::numeric_limits<double>::infinity();
      const double B = stiffness_[batch.family(i)];
      const BendFrame<double> frame = formula::bend_frame(bend);
      BendGradient<double> gradient;
      sum += formula::bend_energy(B, bend, frame, gradient);
      if (request.gradient != nullptr) add_bend_force(batch, bend_along, i, gradient, *request.gradient);
      if (request.hessian == nullptr) continue;
      BendSum tangent(bend_along);
      if (request.projection == Projection::none) {
        double J[49];
        write_matrix(formula::bend_hessian(B, bend, frame), request.hessian_scale, J);
        tangent.add_matrix(J);
      } else {
        const formula::BendSquares<double> squares = formula::bend_squares(B, bend, frame);
        tangent.add_square(request.hessian_scale * squares.in_plane, frame.of_strain);
        tangent.add_square(request.hessian_scale * squares.tip, formula::tipping(frame, -1));
      }
      tangent.scatter(batch, i, *request.hessian);
    }
    return sum;
  });
}

ParameterList YarnBending::parameters() const {
  return family_parameters("bending", Quantity::rod_bending, stiffness_, 0, true);
}

std::shared_ptr<EnergyTerm> YarnBending::remade(const double* values, const Replacements&) const {
  if (values[0] == stiffness_.warp && values[1] == stiffness_.weft) return nullptr;
  auto successor = std::make_shared<YarnBending>(*this);
  successor->stiffness_ = {values[0], values[1]};
  return successor;
}

YarnBendingDamping::YarnBendingDamping(const YarnBending& bending, PerFamily beta, YarnRateTangent tangent)
    : bending_(&bending), beta_(beta), tangent_(tangent) {
  check_family_values(body(), parameters());
}

DissipationTraits YarnBendingDamping::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_angular_momentum = false;  // nearly straight yarns: formula/bend.hpp
  traits.keeps_linear_momentum = true;
  traits.symmetric = tangent_ == YarnRateTangent::velocity;
  traits.exact_in_place = tangent_ == YarnRateTangent::exact;
  return traits;
}

namespace {

template <class T>
struct BendRates {
  BendGradient<T> strain, difference, sum;  ///< gradients of the three measures
  formula::BendViscosity<T> viscosity;
};
template <class T>
BendRates<T> bend_rates(const T& beta_B, const Bend<T>& bend) {
  const BendFrame<T> frame = formula::bend_frame(bend);
  return {frame.of_strain, formula::tipping(frame, -1), formula::tipping(frame, 1),
          formula::bend_viscosity(beta_B, bend, frame)};
}
template <class T>
BendGradient<T> bend_damping_force(const BendRates<T>& at, const BendGradient<T>& rate) {
  const T p = at.viscosity.in_plane * dot(at.strain, rate), d = at.viscosity.tip_difference * dot(at.difference, rate),
          s = at.viscosity.tip_sum * dot(at.sum, rate);
  return {p * at.strain.a + d * at.difference.a + s * at.sum.a, p * at.strain.b + d * at.difference.b + s * at.sum.b,
          p * at.strain.L};
}

/// d(force)/d(a, b, L), row-major.
void exact_slope(double beta_B, const Bend<double>& bend, const BendGradient<double>& rate, double scale,
                 double J[49]) {
  using D = math::Dual<7>;
  const Bend<D> at{{D::variable(bend.a.x, 0), D::variable(bend.a.y, 1), D::variable(bend.a.z, 2)},
                   {D::variable(bend.b.x, 3), D::variable(bend.b.y, 4), D::variable(bend.b.z, 5)},
                   D::variable(bend.L, 6)};
  const BendGradient<D> given{
      {D(rate.a.x), D(rate.a.y), D(rate.a.z)}, {D(rate.b.x), D(rate.b.y), D(rate.b.z)}, D(rate.L)};
  const BendGradient<D> f = bend_damping_force(bend_rates(D(beta_B), at), given);
  for (int r = 0; r < 7; ++r) {
    const D& row = r < 3 ? f.a[r] : r < 6 ? f.b[r - 3] : f.L;
    for (int c = 0; c < 7; ++c) J[7 * r + c] = scale * row.d[static_cast<std::size_t>(c)];
  }
}

}  // namespace

double YarnBendingDamping::evaluate(const DissipationRequest& request) const {
  const YarnBatch& batch = bending_->batch();
  return batch.sum_over_chunks([&](int begin, int end) {
    double power = 0;
    for (int i = begin; i < end; ++i) {
      const double beta_B = beta_[batch.family(i)] * bending_->stiffness()[batch.family(i)];
      const Bend<double> bend = bend_at(batch, bend_along, request.q, i);
      const Bend<double> moving = bend_difference(batch, bend_along, request.v, i);
      const BendGradient<double> rate{moving.a, moving.b, moving.L};
      const BendRates<double> rates = bend_rates(beta_B, bend);
      const BendGradient<double> force = bend_damping_force(rates, rate);
      power += dot(force, rate);
      if (request.force != nullptr) add_bend_force(batch, bend_along, i, force, *request.force);
      if (request.tangent == nullptr) continue;
      BendSum tangent(bend_along);
      tangent.add_square(request.dv_scale * rates.viscosity.in_plane, rates.strain);
      if (rates.viscosity.tip_difference > 0) {
        tangent.add_square(request.dv_scale * rates.viscosity.tip_difference, rates.difference);
        tangent.add_square(request.dv_scale * rates.viscosity.tip_sum, rates.sum);
      }
      if (tangent_ == YarnRateTangent::exact && request.dq_scale != 0) {
        double J[49];
        exact_slope(beta_B, bend, rate, request.dq_scale, J);
        tangent.add_matrix(J);
      }
      tangent.scatter(batch, i, *request.tangent);
    }
    return power;
  });
}

ParameterList YarnBendingDamping::parameters() const {
  return family_parameters("bending_damping", Quantity::time, beta_, 0, false);
}

std::shared_ptr<DissipationTerm> YarnBendingDamping::remade(const double* values,
                                                            const Replacements& replacements) const {
  auto successor = std::make_shared<YarnBendingDamping>(*this);
  successor->bending_ = static_cast<const YarnBending*>(replacements.of<EnergyTerm>(bending_));
  successor->beta_ = {values[0], values[1]};
  return successor;
}

}  // namespace dashpot
