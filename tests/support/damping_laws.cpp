#include "support/damping_laws.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <random>

#include <gtest/gtest.h>

#include "support/derivative_slope.hpp"
#include "support/memory_laws.hpp"

namespace dashpot::testing {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Vector vector(Eigen::Index n) {
    Vector result(n);
    for (double& x : result) x = uniform_(engine_);
    return result;
  }
  Vec3 vec3() { return vector(3); }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

double body_size(const System& system) {
  const Vector& q = system.rest();
  Vec3 low = q.head<3>(), high = low;
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    low = low.cwiseMin(q.segment<3>(i));
    high = high.cwiseMax(q.segment<3>(i));
  }
  return (high - low).norm();
}

/// A smooth random deformation plus noise, so that elements are strained but not crushed.
Vector deformed(const System& system, Random& random, double amount) {
  const double size = body_size(system);
  Mat3 gradient;
  for (double& x : gradient.reshaped()) x = random.vector(1)[0];
  Vector q = system.rest();
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    const Vec3 x = q.segment<3>(i);
    q.segment<3>(i) += amount * gradient * x + 0.02 * amount * size * random.vec3();
  }
  return q;
}

Vector rigid_velocity(const Vector& q, const Vec3& linear, const Vec3& spin) {
  Vector v(q.size());
  for (Eigen::Index i = 0; i < q.size(); i += 3) v.segment<3>(i) = linear + spin.cross(Vec3(q.segment<3>(i)));
  return v;
}

/// One dissipation term with its scratch prepared at q.
class Evaluator {
 public:
  Evaluator(const System& system, std::size_t j, const Vector& q)
      : system_(system),
        term_(*system.dissipations()[j]),
        scratch_(term_.make_scratch()),
        memory_(Vector::Zero(term_.num_internal_variables())) {
    State state = system.initial_state();
    state.q = q;
    term_.begin_step(state, scratch_.get());
  }
  Vector force(const Vector& q, const Vector& v, double* power = nullptr) const {
    Vector f = Vector::Zero(system_.num_dofs());
    DissipationRequest request{q, v, memory_, 0.01, scratch_.get()};
    request.force = &f;
    const double p = term_.evaluate(request);
    if (power) *power = p;
    return f;
  }
  Matrix tangent(const Vector& q, const Vector& v, double dv_scale, double dq_scale) const {
    BlockMatrix matrix(system_.pattern());
    std::vector<LowRank> low_rank;
    DissipationRequest request{q, v, memory_, 0.01, scratch_.get()};
    request.tangent = &matrix;
    request.low_rank = &low_rank;
    request.dv_scale = dv_scale;
    request.dq_scale = dq_scale;
    term_.evaluate(request);
    Matrix dense = matrix.dense();
    for (const LowRank& part : low_rank)
      dense.block(part.first_dof, part.first_dof, part.num_rows(), part.num_rows()) +=
          *part.U * part.S * part.V->transpose();
    return dense;
  }

 private:
  const System& system_;
  const DissipationTerm& term_;
  std::unique_ptr<TermScratch> scratch_;
  Vector memory_;
};

bool is_symmetric(const Matrix& A, double tolerance) { return (A - A.transpose()).norm() <= tolerance * A.norm(); }

void expect_slopes(const System& system, std::size_t j, Random& random, double amount, bool check_modesty) {
  const Vector q = deformed(system, random, amount), v = random.vector(q.size()), d = random.vector(q.size());
  const Evaluator term(system, j, q);
  const auto in_v =
      derivative_slope([&](const Vector& x) { return term.force(q, x); }, v, d, term.tangent(q, v, 1, 0) * d);
  EXPECT_TRUE(in_v.ok()) << "df/dv: slope " << in_v.slope << " remainder " << in_v.relative_remainder;
  if (!system.dissipations()[j]->traits().exact_in_place) {
    const Matrix K = term.tangent(q, v, 0, 1);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0], -1e-12 * K.norm()) << "df/dq";
    const double step = 1e-6 * body_size(system);
    const Vector slope = (term.force(q + step * d, v) - term.force(q - step * d, v)) / (2 * step);
    if (check_modesty)
      EXPECT_GT((K * d - slope).norm(), 1e-3 * slope.norm()) << "df/dq is called a stand-in and is the derivative";
    return;
  }
  const Vector along = term.tangent(q, v, 0, 1) * d;
  const double scale = 1e-3 * body_size(system);
  if (along.norm() > 0) {
    const auto in_q = derivative_slope([&](const Vector& x) { return term.force(x, v); }, q, scale * d, scale * along);
    EXPECT_TRUE(in_q.ok()) << "df/dq: slope " << in_q.slope << " remainder " << in_q.relative_remainder;
  } else {
    EXPECT_LT((term.force(q + scale * d, v) - term.force(q, v)).norm(), 1e-12 * term.force(q, v).norm() + 1e-300)
        << "df/dq is claimed to be zero";
  }
}

}  // namespace

void expect_dissipation_laws(const System& system, std::size_t j, const DampingLawOptions& options) {
  const DissipationTerm& model = *system.dissipations()[j];
  SCOPED_TRACE("dissipation " + model.body() + "." + model.model());
  const DissipationTraits traits = model.traits();
  EXPECT_EQ(traits.has_memory, model.num_internal_variables() > 0);
  if (traits.has_memory) return expect_memory_laws(system, j, options);
  Random random(options.seed);
  expect_slopes(system, j, random, options.deformation, options.check_modesty);

  bool rigid_is_free = true, keeps_linear = true, keeps_angular = true;
  const double size = body_size(system);
  for (int i = 0; i < options.num_states; ++i) {
    const Vector q = deformed(system, random, options.deformation), v = random.vector(q.size());
    const Evaluator term(system, j, q);
    double power = 0;
    const Vector f = term.force(q, v, &power);
    const double scale = f.norm();
    ASSERT_GT(scale, 0) << "a damping that does nothing proves nothing";
    ASSERT_GE(power, -1e-12 * scale * v.norm());
    ASSERT_NEAR(power, v.dot(f), 1e-10 * scale * v.norm());
    ASSERT_EQ(term.force(q, Vector::Zero(q.size())).norm(), 0);
    // At a stage of the step that began at q: what is made at the start of a step and held belongs to q, not to here.
    const Vector stage = q + 0.01 * size * random.vector(q.size()).normalized();
    const Vec3 spin = random.vec3(), linear = random.vec3();
    const Vector rigid = rigid_velocity(stage, linear, spin / size);
    rigid_is_free &= term.force(stage, rigid).norm() <= 1e-9 * scale * rigid.norm() / v.norm();
    const LinearAngular total = system.kinematics().wrench(stage, term.force(stage, v));
    keeps_linear &= total.linear.norm() <= 1e-9 * scale;
    keeps_angular &= total.angular.norm() <= 1e-9 * scale * size;
  }
  if (traits.objective || options.check_modesty) EXPECT_EQ(rigid_is_free, traits.objective) << "objective";
  if (traits.keeps_linear_momentum || options.check_modesty)
    EXPECT_EQ(keeps_linear, traits.keeps_linear_momentum) << "linear momentum";
  if (traits.keeps_angular_momentum || options.check_modesty)
    EXPECT_EQ(keeps_angular, traits.keeps_angular_momentum) << "angular momentum";

  const Vector q = deformed(system, random, options.deformation), v = random.vector(q.size());
  const Matrix C = Evaluator(system, j, q).tangent(q, v, 1, 0);
  ASSERT_GT(C.norm(), 0);
  const Matrix of_place = Evaluator(system, j, q).tangent(q, v, 0, 1);
  if (traits.constant) EXPECT_EQ(of_place.norm(), 0) << "constant: df/dq";
  if (traits.symmetric) {
    EXPECT_TRUE(is_symmetric(C, 1e-12)) << "df/dv";
    EXPECT_TRUE(is_symmetric(of_place, 1e-10)) << "df/dq";
  } else if (options.check_modesty) {
    EXPECT_FALSE(is_symmetric(C, 1e-9) && is_symmetric(of_place, 1e-9)) << "both are symmetric: claim it";
  }
  const Vector other = deformed(system, random, options.deformation), faster = random.vector(q.size());
  const Matrix C_other = Evaluator(system, j, other).tangent(other, faster, 1, 0);
  EXPECT_EQ((C - C_other).norm() <= 1e-13 * C.norm(), traits.constant) << "constant";
  // Curves of the speed are constant beyond their knots: slow and fast motions too.
  const Vector f = Evaluator(system, j, q).force(q, v);
  bool is_linear = true;
  for (const double factor : {1e-4, 1e-2, 2.0, 1e2})
    is_linear &= (Evaluator(system, j, q).force(q, factor * v) - factor * f).norm() <= 1e-12 * factor * f.norm();
  EXPECT_EQ(is_linear, traits.linear_in_velocity) << "linear in the velocity";
  EXPECT_EQ((Evaluator(system, j, q).force(q, v) - Evaluator(system, j, q).force(q, v)).norm(), 0)
      << "same state, same scratch";
}

void expect_filter_laws(const System& system, std::size_t k, bool is_rate, const DampingLawOptions& options) {
  const VelocityFilter& filter = *system.filters()[k];
  SCOPED_TRACE("filter " + filter.body() + "." + filter.model());
  const DissipationTraits traits = filter.traits();
  Random random(options.seed);
  bool keeps_linear = true, keeps_angular = true, rigid_is_free = true;
  for (int i = 0; i < options.num_states; ++i) {
    const Vector q = deformed(system, random, options.deformation), v = random.vector(q.size());
    Vector filtered = v;
    filter.apply(q, 0.01, filtered);
    ASSERT_GT((filtered - v).norm(), 0) << "a filter that does nothing proves nothing";
    const double before = system.inertia().kinetic_energy(q, v), after = system.inertia().kinetic_energy(q, filtered);
    ASSERT_LE(after, before * (1 + 1e-14));
    const LinearAngular p0 = system.inertia().momentum(q, v), p1 = system.inertia().momentum(q, filtered);
    keeps_linear &= (p1.linear - p0.linear).norm() <= 1e-12 * (1 + p0.linear.norm());
    keeps_angular &= (p1.angular - p0.angular).norm() <= 1e-12 * (1 + p0.angular.norm());
    const Vector rigid = rigid_velocity(q, random.vec3(), random.vec3());
    Vector rigid_filtered = rigid;
    filter.apply(q, 0.01, rigid_filtered);
    rigid_is_free &= (rigid_filtered - rigid).norm() <= 1e-12 * rigid.norm();
    if (is_rate && i < 10) {
      // Where they only come to one step as dt^2, a second still does not depend on dt in the limit.
      const auto two_for_one = [&](double dt) {
        Vector once = v, twice = v;
        filter.apply(q, dt, once);
        filter.apply(q, dt / 2, twice);
        filter.apply(q, dt / 2, twice);
        return (twice - once).norm();
      };
      const double coarse = two_for_one(0.01), fine = two_for_one(0.01 / 8);
      ASSERT_LT(coarse, options.exact_rate ? 1e-12 * v.norm() : 0.1 * (filtered - v).norm())
          << "a rate must not depend on dt";
      ASSERT_LT(fine, std::max(coarse / 50, 1e-12 * v.norm())) << "a rate must not depend on dt";
    }
    Vector rest = Vector::Zero(q.size());
    filter.apply(q, 0.01, rest);
    ASSERT_EQ(rest.norm(), 0);
  }
  EXPECT_EQ(keeps_linear, traits.keeps_linear_momentum);
  EXPECT_EQ(keeps_angular, traits.keeps_angular_momentum);
  EXPECT_EQ(rigid_is_free, traits.objective);
}

}  // namespace dashpot::testing
