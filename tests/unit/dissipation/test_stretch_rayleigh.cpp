// Rayleigh damping whose coefficients follow the strain: numbers from theory. Laws: test_registered_dampings;
// derivatives by parameters: test_parameter_gradients.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/dissipation/stretch_rayleigh.hpp"
#include "dashpot/element/tet_stretches.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/math/curve.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "support/portable_noise.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_stretch_rayleigh {
namespace {

/// A bar of tets with its stiffness and lumped masses, bound.
struct Bar {
  TinyMesh mesh;
  std::shared_ptr<TetBatch> tets;
  std::unique_ptr<TetElasticity> elastic;
  std::unique_ptr<ElementMass> mass;
  std::shared_ptr<const BlockPattern> pattern;

  explicit Bar(bool quadratic = false) : mesh(kuhn_bar(2, 1, 1, 0.5)) {
    if (quadratic) mesh = with_mid_nodes(mesh);
    tets = std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0);
    elastic = make_isotropic("bar", tets, IsotropicLaw::corotational, {{1000, 0.3}});
    mass = std::make_unique<ElementMass>(mesh.nodes_per_tet, mesh.nodes, std::vector<double>(mesh.nodes.size(), 0.3),
                                         true);
    PatternBuilder builder;
    elastic->couple(builder);
    mass->couple(builder);
    pattern = builder.build(3, static_cast<int>(mesh.X.size()));
    elastic->bind(*pattern);
    mass->bind(*pattern);
  }
  StretchRayleighSources sources() const { return {tets, mass.get(), elastic.get()}; }
  Vector stretched(const Mat3& F) const {
    Vector q = mesh.rest();
    for (Eigen::Index i = 0; i < q.size(); i += 3) q.segment<3>(i) = F * q.segment<3>(i).eval();
    return q;
  }
  /// Force at q, v; what is held is made there.
  Vector force(DissipationTerm& term, const Vector& q, const Vector& v) const {
    term.bind(*pattern);
    State state;
    state.q = q, state.v = v;
    const auto scratch = term.make_scratch();
    term.begin_step(state, scratch.get());
    Vector f = Vector::Zero(q.size());
    const Vector none;
    DissipationRequest request{q, v, none, 0.01, scratch.get()};
    request.force = &f;
    const double power = term.evaluate(request);
    EXPECT_NEAR(power, v.dot(f), 1e-12 * v.norm() * f.norm());
    return f;
  }
};

Vector noise(Eigen::Index size, int seed) {
  Vector v(size);
  for (Eigen::Index i = 0; i < size; ++i) v[i] = rnd(static_cast<int>(i) + 1000 * seed);
  return v;
}

const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()).toRotationMatrix();
const std::vector<double> weights = {0.1, 0.3, 0.2, 0.9, 1.5, -0.5, 0.2, 0.8};

StretchCoefficient curve(double nominal, double scale, const std::vector<double>& of_weights) {
  return {PartwiseValue(nominal), scale, {1, 1.3, static_cast<int>(of_weights.size())}, of_weights};
}

TEST(TetStretches, AreThoseOfTheDeformationInDescendingOrder) {
  for (const bool quadratic : {false, true}) {
    const Bar bar(quadratic);
    const Mat3 F = turn * Vec3(0.9, 1.2, 1.05).asDiagonal() * turn.transpose();
    std::vector<double> s;
    principal_stretches(*bar.tets, bar.stretched(F), s);
    ASSERT_EQ(s.size(), 36u);
    for (std::size_t e = 0; e < 12; ++e) {
      EXPECT_NEAR(s[3 * e], 1.2, 1e-13);
      EXPECT_NEAR(s[3 * e + 1], 1.05, 1e-13);
      EXPECT_NEAR(s[3 * e + 2], 0.9, 1e-13);
    }
    principal_stretches(*bar.tets, bar.stretched(Vec3(1, 1, -0.5).asDiagonal()), s);
    EXPECT_NEAR(s[2], -0.5, 1e-13);
  }
}

TEST(StretchRayleigh, WithoutWeightsItIsRayleigh) {
  for (const bool quadratic : {false, true})
    for (const StiffnessPart part : {StiffnessPart::projected_tangent, StiffnessPart::gauss_newton}) {
      const Bar bar(quadratic);
      StretchRayleigh term("bar", bar.sources(), curve(2, 1, {}), curve(0.003, 0.01, {}), part);
      Rayleigh plain("bar", bar.mass.get(), PartwiseValue(2.0), bar.elastic.get(), PartwiseValue(0.003), part);
      const Vector q = bar.mesh.rest() + 0.03 * noise(bar.mesh.rest().size(), 1), v = noise(q.size(), 2);
      const Vector expected = bar.force(plain, q, v);
      ASSERT_GT(expected.norm(), 1);
      EXPECT_LT((bar.force(term, q, v) - expected).norm(), 1e-13 * expected.norm());
    }
}

TEST(StretchRayleigh, CoefficientsAreTheCurveAtTheLargestStretch) {
  const Bar bar;
  const math::Curve oracle = math::Curve::uniform_bspline(1, 1.3, weights, math::Extrapolation::constant);
  StretchRayleigh term("bar", bar.sources(), curve(0.7, 2, weights), curve(0.004, 0.01, weights),
                       StiffnessPart::projected_tangent);
  for (const double s : {1.0, 1.05, 1.17, 1.24, 1.3, 1.8}) {
    const Vector q = bar.stretched(turn * Vec3(0.9, s, 0.95).asDiagonal()), v = noise(q.size(), 2);
    Rayleigh plain("bar", bar.mass.get(), PartwiseValue(std::max(0.0, 0.7 + 2 * oracle.value(s))), bar.elastic.get(),
                   PartwiseValue(std::max(0.0, 0.004 + 0.01 * oracle.value(s))), StiffnessPart::projected_tangent);
    const Vector expected = bar.force(plain, q, v);
    EXPECT_LT((bar.force(term, q, v) - expected).norm(), 1e-11 * expected.norm()) << s;
  }
}

TEST(StretchRayleigh, KernelsAreFunctionsOfTheDistanceBetweenSortedStretches) {
  const Bar bar;
  const double w = 0.2;
  for (const math::RadialKernel kind :
       {math::RadialKernel::gaussian, math::RadialKernel::multiquadric, math::RadialKernel::distance}) {
    StretchCoefficient beta = curve(0.001, 0.01, {});
    beta.kernels = {kind, w, {{1.1, 1, 0.9}, {1.3, 1.1, 0.8}}, {0.5, 0.7}};
    StretchRayleigh term("bar", bar.sources(), curve(0, 1, {}), beta, StiffnessPart::gauss_newton);
    const Vector q = bar.stretched(turn * Vec3(0.95, 1.2, 1.05).asDiagonal()), v = noise(q.size(), 2);
    const double r2[] = {0.1 * 0.1 + 0.05 * 0.05 + 0.05 * 0.05, 0.1 * 0.1 + 0.05 * 0.05 + 0.15 * 0.15};
    double sum = 0;
    for (int k = 0; k < 2; ++k)
      sum += (k == 0 ? 0.5 : 0.7) * (kind == math::RadialKernel::gaussian       ? std::exp(-r2[k] / (2 * w * w))
                                     : kind == math::RadialKernel::multiquadric ? std::sqrt(1 + r2[k] / (w * w))
                                                                                : std::sqrt(r2[k]) / w);
    Rayleigh plain("bar", nullptr, PartwiseValue(0.0), bar.elastic.get(), PartwiseValue(0.001 + 0.01 * sum),
                   StiffnessPart::gauss_newton);
    const Vector expected = bar.force(plain, q, v);
    EXPECT_LT((bar.force(term, q, v) - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(StretchRayleigh, WhereTheSumIsNegativeNothingIsDampedAndNothingIsFed) {
  const Bar bar;
  StretchRayleigh term("bar", bar.sources(), curve(0, 1, {-1, -1, -1, -1}), curve(0.001, 0.01, {-1, -1, -1, -1}),
                       StiffnessPart::projected_tangent);
  const Vector q = bar.stretched(Vec3(1.1, 1, 1).asDiagonal()), v = noise(q.size(), 2);
  EXPECT_EQ(bar.force(term, q, v).norm(), 0);
  int num_damped = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Vector w = 2 * noise(8, seed), x = q + 0.1 * noise(q.size(), seed), u = noise(q.size(), seed + 500);
    const std::vector<double> any(w.data(), w.data() + 8);
    StretchRayleigh random("bar", bar.sources(), curve(0, 1, any), curve(0, 0.01, any),
                           StiffnessPart::projected_tangent);
    const double power = u.dot(bar.force(random, x, u));
    EXPECT_GE(power, 0);
    num_damped += power > 0;
  }
  EXPECT_GT(num_damped, 150);
}

TEST(StretchRayleigh, BadCurvesAreReportedAllAtOnce) {
  const Bar bar;
  StretchCoefficient alpha = curve(0, 0, {1, 2, 3}), beta = curve(0, 1, weights);
  beta.knots.high = 0.9;
  beta.kernels = {math::RadialKernel::gaussian, 0.1, {{1, 1.1, 1}}, {1}};
  try {
    StretchRayleigh("bar", bar.sources(), alpha, beta, StiffnessPart::rest);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 5u) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::testing::test_stretch_rayleigh
