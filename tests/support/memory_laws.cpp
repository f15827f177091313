#include "support/memory_laws.hpp"

#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include "support/derivative_slope.hpp"
#include "support/noise_vector.hpp"

namespace dashpot::testing {
namespace {

/// A damping on its way through steps: q_n and its memory there.
class Path {
 public:
  Path(const System& system, std::size_t j, Vector q)
      : system_(system), term_(*system.dissipations()[j]), state_(system.initial_state()), j_(j) {
    state_.internal_variables[j].setZero(term_.num_internal_variables());
    scratch_ = term_.make_scratch();
    begin(std::move(q));
  }
  void begin(Vector q) {
    state_.q = std::move(q);
    term_.begin_step(state_, scratch_.get());
  }
  Vector force(const Vector& q, const Vector& v, double dt) const {
    Vector f = Vector::Zero(q.size());
    DissipationRequest request{q, v, state_.internal_variables[j_], dt, scratch_.get()};
    request.force = &f;
    const double power = term_.evaluate(request);
    EXPECT_NEAR(power, f.dot(v), 1e-10 * f.norm() * v.norm());
    return f;
  }
  Matrix tangent(const Vector& q, const Vector& v, double dt, double dv_scale, double dq_scale) const {
    BlockMatrix matrix(system_.pattern());
    DissipationRequest request{q, v, state_.internal_variables[j_], dt, scratch_.get()};
    request.tangent = &matrix;
    request.dv_scale = dv_scale;
    request.dq_scale = dq_scale;
    term_.evaluate(request);
    return matrix.dense();
  }
  /// Goes on to q in dt; returns the work of the force, by the trapezoidal rule.
  double advance(const Vector& q, double dt) {
    const Vector v = (q - state_.q) / dt, step = q - state_.q;
    const double work = 0.5 * (force(state_.q, v, 0) + force(q, v, dt)).dot(step);
    const Vector start = state_.internal_variables[j_];
    DissipationRequest request{q, v, start, dt, scratch_.get()};
    request.new_internal_variables = &state_.internal_variables[j_];
    term_.evaluate(request);
    begin(q);
    return work;
  }
  double stored() const { return term_.stored_energy(state_.internal_variables[j_]); }

 private:
  const System& system_;
  const DissipationTerm& term_;
  State state_;
  std::unique_ptr<TermScratch> scratch_;
  std::size_t j_;
};

double size_of(const System& system) {
  const Eigen::Index n = system.rest().size() / 3;
  const auto X = system.rest().reshaped(3, n);
  return (X.rowwise().maxCoeff() - X.rowwise().minCoeff()).norm();
}

Vector turned(const Vector& q, const Mat3& R, const Vec3& shift) {
  Vector result(q.size());
  for (Eigen::Index i = 0; i < q.size(); i += 3) result.segment<3>(i) = R * q.segment<3>(i) + shift;
  return result;
}

}  // namespace

void expect_memory_laws(const System& system, std::size_t j, const DampingLawOptions& options) {
  const DissipationTraits traits = system.dissipations()[j]->traits();
  EXPECT_FALSE(traits.constant);
  const Vector& X = system.rest();
  const double size = size_of(system), dt = 0.01;
  bool rigid_is_free = true, keeps_linear = true, keeps_angular = true;
  for (int i = 0; i < std::min(options.num_states, 30); ++i) {
    const Vector q_n = X + 0.02 * size * noise(X.size(), 100 * i), step = 0.01 * size * noise(X.size(), 100 * i + 7);
    const Vector q = q_n + step, v = step / dt;
    Path path(system, j, q_n);
    ASSERT_EQ(path.force(q_n, v, 0).norm(), 0) << "nothing has moved yet";
    const Vector f = path.force(q, v, dt);
    ASSERT_GT(f.norm(), 0) << "a damping that does nothing proves nothing";
    ASSERT_GT(f.dot(step), 0) << "from rest, springs can only take";
    const LinearAngular total = system.kinematics().wrench(q, f);
    keeps_linear &= total.linear.norm() <= 1e-9 * f.norm();
    keeps_angular &= total.angular.norm() <= 1e-9 * f.norm() * size;
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    rigid_is_free &= path.force(turned(q_n, R, Vec3(0.3, -1, 2)), v, dt).norm() <= 1e-9 * f.norm();

    // Out, round and back in 3 x 20 steps.
    const Vector aside = q_n + 0.01 * size * noise(X.size(), 100 * i + 13);
    double lost = 0, before = 0;
    for (int k = 1; k <= 60; ++k) {
      const double t = (k % 20 == 0 ? 20 : k % 20) / 20.0;
      const Vector goal = k <= 20   ? Vector(q_n + t * step)
                          : k <= 40 ? Vector((1 - t) * q + t * aside)
                                    : Vector((1 - t) * aside + t * q_n);
      lost += path.advance(goal, dt);
      lost -= path.stored() - before;
      before = path.stored();
      ASSERT_GE(before, 0);
    }
    ASSERT_GT(lost, 0);
    if (i > 0) continue;

    // Slopes with memory, in the middle of a step.
    const Vector d = noise(X.size(), 3), here = q_n + 0.005 * size * noise(X.size(), 5);
    const double scale = 1e-3 * size;
    const Matrix in_q = path.tangent(here, v, dt, 0, 1), in_v = path.tangent(here, v, dt, 1, 0);
    ASSERT_GT(in_q.norm() + in_v.norm(), 0);
    const auto slope = derivative_slope([&](const Vector& x) { return path.force(x, v, dt); }, here, scale * d,
                                        scale * Vector(in_q * d));
    if (traits.exact_in_place || options.check_modesty)
      EXPECT_EQ(slope.ok(), traits.exact_in_place)
          << "df/dq: slope " << slope.slope << " remainder " << slope.relative_remainder;
    if (in_v.norm() == 0)
      EXPECT_EQ((path.force(here, v + d, dt) - path.force(here, v, dt)).norm(), 0) << "df/dv is claimed to be zero";
    else
      EXPECT_TRUE(
          derivative_slope([&](const Vector& x) { return path.force(here, x, dt); }, v, d, Vector(in_v * d)).ok());
    const auto asymmetry = [](const Matrix& K) { return (K - K.transpose()).norm() / std::max(K.norm(), 1e-300); };
    const double asymmetric = std::max(asymmetry(in_q), asymmetry(in_v));
    if (traits.symmetric)
      EXPECT_LE(asymmetric, 1e-12);
    else if (options.check_modesty)
      EXPECT_GT(asymmetric, 1e-9) << "both are symmetric: claim it";
  }
  EXPECT_EQ(rigid_is_free, traits.objective) << "objective";
  EXPECT_EQ(keeps_linear, traits.keeps_linear_momentum) << "linear momentum";
  EXPECT_EQ(keeps_angular, traits.keeps_angular_momentum) << "angular momentum";
}

}  // namespace dashpot::testing
