#include "dashpot/dissipation/variational.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/math/best_spin.hpp"
#include "dashpot/math/polar3.hpp"

namespace dashpot {
namespace {

constexpr double least_volume_ratio = 1e-6;  // of an element at x_n, below which it has no rest pose

struct VariationalScratch final : TermScratch {
  Vector rest_pose;  ///< x_n
};

/// How the strain energy of a step answers to the velocity gradient `rate` [1/s].
struct StepStrain {
  Mat3 R;        ///< rotation of the step
  Mat3 strain;   ///< (F - R)/dt, F = I + dt rate [1/s]
  Mat3 inverse;  ///< (tr(S) I - S)^-1, F = R S
};

StepStrain step_strain(const Mat3& rate, double dt) {
  StepStrain result;
  Mat3 S = Mat3::Identity();
  if (dt > 0 && !rate.isZero(0)) {
    const Mat3 F = Mat3::Identity() + dt * rate;
    const math::Polar3<double> polar = math::polar3(math::from_eigen(F));
    result.R = math::to_eigen(polar.R);
    S = math::to_eigen(polar.S);
    result.strain = (F - result.R) / dt;
  } else {
    result.R.setIdentity();
    result.strain = 0.5 * (rate + rate.transpose());
  }
  result.inverse = math::symmetric_pseudo_inverse(math::spin_matrix(S));
  return result;
}

}  // namespace

VariationalDamping::VariationalDamping(std::string body, std::shared_ptr<TetBatch> batch, std::vector<double> viscosity)
    : body_(std::move(body)), batch_(std::move(batch)), viscosity_(std::move(viscosity)) {
  const std::string place = fmt::format("variational damping of '{}'", body_);
  if (static_cast<int>(viscosity_.size()) != batch_->num_tets())
    throw Error(Problem{place, fmt::format("{} viscosities", viscosity_.size()),
                        fmt::format("one for each of the {} tets", batch_->num_tets()), ""});
  const auto bad =
      std::find_if_not(viscosity_.begin(), viscosity_.end(), [](double eta) { return std::isfinite(eta) && eta >= 0; });
  if (bad != viscosity_.end())
    throw Error(Problem{place, fmt::format("viscosity = {} Pa s", *bad), "a finite viscosity >= 0", ""});
}

DissipationTraits VariationalDamping::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  return traits;
}

void VariationalDamping::couple(PatternBuilder& pattern) const {
  for (int i = 0; i < batch_->num_tets(); ++i) pattern.add_group(batch_->blocks(i), batch_->nodes_per_tet());
}

std::unique_ptr<TermScratch> VariationalDamping::make_scratch() const { return std::make_unique<VariationalScratch>(); }

void VariationalDamping::begin_step(const State& state, TermScratch* scratch) const {
  static_cast<VariationalScratch&>(*scratch).rest_pose = state.q;
}

double VariationalDamping::evaluate(const DissipationRequest& request) const {
  const Vector& rest_pose = static_cast<const VariationalScratch&>(*request.scratch).rest_pose;
  return batch_->sum_over_chunks([&](int begin, int end) {
    double power = 0;
    for (int i = begin; i < end; ++i) power += evaluate_tet(i, rest_pose, request);
    return power;
  });
}

double VariationalDamping::evaluate_tet(int i, const Vector& rest_pose, const DissipationRequest& request) const {
  const double eta = viscosity_[static_cast<std::size_t>(batch_->original(i))];
  if (eta == 0) return 0;
  const int n = batch_->nodes_per_tet(), *blocks = batch_->blocks(i), *slots = batch_->slots(i);
  double power = 0;
  for (int p = 0; p < batch_->num_points(); ++p) {
    Mat3 F_n = Mat3::Zero(), rate = Mat3::Zero();
    for (int a = 0; a < n; ++a) F_n += rest_pose.segment<3>(3 * blocks[a]) * batch_->gradient(i, p, a).transpose();
    const double J = F_n.determinant();
    if (!(J > least_volume_ratio)) continue;
    const Mat3 inverse = F_n.inverse();
    std::array<Vec3, 10> g;  // gradients of the shape functions in x_n [1/m]
    for (int a = 0; a < n; ++a) {
      g[static_cast<std::size_t>(a)] = inverse.transpose() * batch_->gradient(i, p, a);
      rate += request.v.segment<3>(3 * blocks[a]) * g[static_cast<std::size_t>(a)].transpose();
    }
    const StepStrain step = step_strain(rate, request.dt);
    const double scale = 2 * eta * batch_->weight(i, p) * J;  // [Pa s m^3]
    power += scale * step.strain.cwiseProduct(rate).sum();
    if (request.force)
      for (int a = 0; a < n; ++a)
        request.force->segment<3>(3 * blocks[a]) += scale * step.strain * g[static_cast<std::size_t>(a)];
    if (!request.tangent || request.dv_scale == 0) continue;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        const Vec3 &ga = g[static_cast<std::size_t>(a)], &gb = g[static_cast<std::size_t>(b)];
        const Mat3 turned = math::cross_matrix(ga) * step.inverse * math::cross_matrix(gb);
        Mat3::Map(request.tangent->block(slots[a * n + b])) +=
            request.dv_scale * scale * (ga.dot(gb) * Mat3::Identity() + step.R * turned * step.R.transpose());
      }
  }
  return power;
}

}  // namespace dashpot
