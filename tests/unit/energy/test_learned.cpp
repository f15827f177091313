// Laws with corrections that are linear in weights: numbers from theory, and derivatives by their parameters. Slopes
// and the laws that hold for all materials: test_materials.cpp.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/learned.hpp"
#include "material_cases.hpp"

namespace dashpot::testing::test_learned {
namespace {

const Isotropic solid{1000, 0.3};

LearnedParts on(const IsotropicLaw& nominal) {
  return {nominal, {PartwiseValue(solid.young), PartwiseValue(solid.poisson)}, {}};
}

/// Weights of a B-spline through y(x), by collocation at its knots, straight across the ends' second derivative.
template <class Function>
WeightedCurve through(const math::UniformKnots& knots, const Function& y) {
  const int n = knots.count;
  const double h = knots.spacing();
  Matrix A = Matrix::Zero(n, n);
  Vector b(n);
  for (int i = 0; i + 2 < n; ++i) {
    A.block(i, i, 1, 3) << 1.0 / 6, 4.0 / 6, 1.0 / 6;
    b[i] = y(knots.low + i * h);
  }
  for (const bool high : {false, true}) {  // slopes at the ends
    const int row = high ? n - 1 : n - 2, first = high ? n - 3 : 0;
    const double x = high ? knots.high : knots.low, d = 1e-4;
    A(row, first) = -0.5 / h, A(row, first + 2) = 0.5 / h;
    b[row] = (8 * (y(x + d) - y(x - d)) - (y(x + 2 * d) - y(x - 2 * d))) / (12 * d);
  }
  const Vector w = A.partialPivLu().solve(b);
  return {knots, {w.data(), w.data() + n}};
}

const std::vector<Vec3> stretches = {{1.3, 1.05, 0.8}, {0.9, 0.85, 1.2}, {1.1, 1.1, 0.9}, {0.75, 0.97, 1.25}};

TEST(Learned, CurvesOfANeoHookeanSolidAreANeoHookeanSolid) {
  LearnedParts parts = on(IsotropicLaw::corotational);
  const double E0 = parts.correction.scale = 500, lambda = solid.lambda(), mu = solid.mu();
  parts.correction.tail = {-2 * mu / E0, -lambda / E0};
  parts.correction.stretch = through({0.6, 1.5, 1200}, [&](double s) { return mu * (s - 1 / s) / E0; });
  parts.correction.volume = through({0.6, 1.5, 1200}, [&](double J) { return lambda * std::log(J) / J / E0; });
  const auto learned = stretch_response(parts);
  LearnedParts plain = on(IsotropicLaw::neo_hookean);
  const auto truth = stretch_response(plain);
  for (const Vec3& s : stretches) {
    const StretchResponse a = learned(s), b = truth(s);
    ASSERT_GT(b.p.norm(), 10);
    EXPECT_LT((a.p - b.p).norm(), 1e-10 * b.p.norm());
    EXPECT_LT((a.H - b.H).norm(), 1e-7 * b.H.norm()) << "cubic pieces: third order in slopes";
    EXPECT_NEAR(a.psi, b.psi, 1e-10 * b.psi);
  }
}

TEST(Learned, TheTailTakesTheKnownLawAwayExactly) {
  LearnedParts parts = on(IsotropicLaw::corotational);
  parts.correction.scale = 1024;  // a power of two: no rounding in the quotient
  parts.correction.tail = {-2 * solid.mu() / 1024, -solid.lambda() / 1024};
  parts.correction.stretch = parts.correction.volume = {};
  const auto nothing = stretch_response(parts);
  parts.correction.tail[0] = 0;
  const auto shear = stretch_response(parts);
  for (const Vec3& s : stretches) {
    EXPECT_LT(nothing(s).p.norm(), 1e-12);
    EXPECT_LT(nothing(s).H.norm(), 1e-12);
    EXPECT_LT((shear(s).p - 2 * solid.mu() * (s - Vec3::Ones())).norm(), 1e-12) << "no lambda is left";
  }
}

TEST(Learned, CurvesActAsThoseOfASplineMaterial) {
  LearnedParts parts = on(IsotropicLaw::corotational);
  parts.correction.scale = 100;
  parts.correction.tail = {-2 * solid.mu() / 100, -solid.lambda() / 100};
  parts.correction.stretch = {{0.65, 1.45, 8}, {-14, -9, -6, 1, 4, 9, 13, 17}};
  parts.correction.area = {{0.6, 1.6, 5}, {-3, -1, 0.5, 2, 1}};
  parts.correction.volume = {{0.7, 1.3, 6}, {-4, -3, 0, 2, 4, 7}};
  SplineMaterial spline;
  const auto curve = [](const WeightedCurve& c) {
    std::vector<double> pascals = c.weights;
    for (double& w : pascals) w *= 100;
    return math::Curve::uniform_bspline(c.knots.low, c.knots.high, pascals);
  };
  spline.stretch = curve(parts.correction.stretch), spline.area = curve(parts.correction.area),
  spline.volume = curve(parts.correction.volume);
  MaterialCase learned_case, spline_case;
  learned_case.make = [&](std::shared_ptr<TetBatch> batch) { return make_learned("body", std::move(batch), parts); };
  spline_case.make = [&](std::shared_ptr<TetBatch> batch) { return make_spline("body", std::move(batch), {spline}); };
  for (const TinyMesh& mesh : {kuhn_bar(1, 1, 1, 0.5), with_mid_nodes(kuhn_bar(1, 1, 1, 0.5))}) {
    const ElasticBody a(mesh, learned_case), b(mesh, spline_case);
    const Vector q = shaken(a.affine(rotation({0.4, -0.9, 0.3}) * Vec3(1.2, 0.9, 0.95).asDiagonal()), 0.02);
    ASSERT_GT(b.energy(q), 1e-3);
    EXPECT_NEAR(a.energy(q), b.energy(q), 1e-12 * b.energy(q));
    EXPECT_LT((a.gradient(q) - b.gradient(q)).norm(), 1e-12 * b.gradient(q).norm());
    EXPECT_LT((a.hessian(q) - b.hessian(q)).norm(), 1e-11 * b.hessian(q).norm());
  }
}

TEST(Learned, WithoutWeightsItIsTheKnownLaw) {
  for (const IsotropicLaw law :
       {IsotropicLaw::corotational, IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean}) {
    MaterialCase learned_case, plain_case;
    learned_case.make = [&](std::shared_ptr<TetBatch> batch) {
      return make_learned("body", std::move(batch), on(law));
    };
    plain_case.make = [&](std::shared_ptr<TetBatch> batch) {
      return make_isotropic("body", std::move(batch), law, {solid});
    };
    const ElasticBody a(kuhn_bar(1, 1, 1, 0.5), learned_case), b(kuhn_bar(1, 1, 1, 0.5), plain_case);
    for (const double stretch : {1.1, 1.9}) {  // between the knots and beyond them
      const Vector q = shaken(a.affine(Vec3(stretch, 0.9, 0.95).asDiagonal()), 0.02);
      EXPECT_LT((a.gradient(q) - b.gradient(q)).norm(), 1e-12 * b.gradient(q).norm()) << law.name;
      EXPECT_NEAR(a.energy(q), b.energy(q), 1e-12 * b.energy(q));
    }
  }
}

TEST(Learned, ATensorOfFourthOrderIsProjectedToItsNearestSemidefiniteOne) {
  // Of the unit tet, rows of nodes 1 to 3 are dP/dF times the volume.
  for (const MaterialCase& material : all_materials()) {
    if (material.name.find("learned") == std::string::npos) continue;
    const ElasticBody body(unit_tet(), material);
    int needed = 0;
    for (const Vec3& s : {Vec3(0.7, 0.8, 0.6), Vec3(1.4, 0.7, 0.6), Vec3(0.5, 0.5, 0.9), Vec3(1.2, 1.1, 1.3)}) {
      const Vector q = body.affine(rotation({0.4, -0.9, 0.3}) * s.asDiagonal() * rotation({0.2, 0.5, -1}));
      const Eigen::SelfAdjointEigenSolver<Matrix> exact(body.hessian(q).bottomRightCorner(9, 9));
      const Vector values = exact.eigenvalues().cwiseMax(0);
      needed += exact.eigenvalues()[0] < -1;
      const Matrix nearest = exact.eigenvectors() * values.asDiagonal() * exact.eigenvectors().transpose();
      const Matrix projected = body.hessian(q, Projection::positive_semidefinite).bottomRightCorner(9, 9);
      EXPECT_LT((projected - nearest).norm(), 1e-11 * nearest.norm()) << material.name;
    }
    EXPECT_GT(needed, 0) << material.name << ": no pose needed the projection";
  }
}

TEST(Learned, BeyondItsKnotsItStaysStiffWhateverTheWeights) {
  for (const IsotropicLaw law :
       {IsotropicLaw::corotational, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean}) {
    LearnedParts parts = on(law);
    parts.correction.scale = 1000;
    parts.correction.tail = {-0.6, 0};
    parts.correction.stretch.weights = {5, 0, 0, 0, 0, 0, 0, -7};  // ends that fall steeply
    parts.correction.volume.weights = {5, 0, 0, 0, 0, -7};
    const auto response = stretch_response(parts);
    const double trace = law == IsotropicLaw::corotational ? solid.lambda() : 0;  // it softens by itself
    const auto pull = [&](double s) { return response(Vec3(s, 1, 1 / s)).p[0] - trace * (s + 1 / s - 2); };  // no h
    EXPECT_GT(pull(1.9), pull(1.8)) << law.name;
    EXPECT_GT(pull(0.5), pull(0.4)) << law.name;
    if (!(law == IsotropicLaw::corotational)) continue;
    EXPECT_NEAR(pull(1.9) - pull(1.8), 0.1 * 0.2 * solid.mu(), 1e-10) << "a tenth of 2 mu remains";
    EXPECT_NEAR(pull(0.5) - pull(0.4), 0.1 * 0.2 * solid.mu(), 1e-10);
    parts.correction.tail[1] = -0.2;
    const auto with = stretch_response(parts);
    parts.correction.volume = {};
    const auto without = stretch_response(parts);
    const auto h = [&](double J) {
      const Vec3 s(J, 1, 1);
      return with(s).p[0] - without(s).p[0];
    };
    for (const double J : {0.4, 1.7})
      EXPECT_NEAR((h(J + 0.1) - h(J)) / 0.1 - 200, -0.9 * solid.lambda(), 1e-8) << "a tenth of lambda remains";
  }
}

/// Two parts with moduli of their own, and any law.
TetElasticity& two_parts(MaterialCase& material, std::unique_ptr<ElasticBody>& body, const IsotropicLaw* plain,
                         const LearnedParts& learned, bool quadratic) {
  const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.5);
  PartwiseValue young(1000.0), poisson(0.3);
  young.values = {1000, 2500}, young.names = {"", "regions/0/"};
  for (int e = 0; e < 12; ++e) young.of_element.push_back(e % 2);  // side by side in a pack
  LearnedParts parts = learned;
  parts.moduli = {young, poisson};
  material.make = [=](std::shared_ptr<TetBatch> batch) {
    return plain ? make_isotropic_parts("body", std::move(batch), *plain, young, poisson)
                 : make_learned("body", std::move(batch), parts);
  };
  body = std::make_unique<ElasticBody>(quadratic ? with_mid_nodes(mesh) : mesh, material);
  return *body->term;
}

Vector gradient_of(const EnergyTerm& term, const Vector& q) {
  Vector g = Vector::Zero(q.size());
  EnergyRequest request{q};
  request.gradient = &g;
  term.evaluate(request);
  return g;
}

/// Forces by every parameter are central differences of the force; the gradient is their product with the weights.
void expect_exact_derivatives(const TetElasticity& term, const Vector& q, const std::string& what) {
  const std::vector<double> values = values_of(term.parameters());
  std::vector<int> which;
  for (int k = static_cast<int>(values.size()); k-- > 0;) which.push_back(k);  // any order
  Matrix columns = Matrix::Zero(q.size(), static_cast<Eigen::Index>(which.size()));
  ASSERT_TRUE(term.add_parameter_forces({q}, which, columns)) << what;
  const double scale = gradient_of(term, q).norm();
  ASSERT_GT(scale, 0.1);
  const Vector weights = shaken(Vector::Zero(q.size()), 1, 7);
  std::vector<double> gradient(values.size(), 0.0);
  ASSERT_EQ(term.add_parameter_gradient({q}, weights, gradient.data()), static_cast<int>(values.size()));
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto k = static_cast<std::size_t>(which[i]);
    const double h = 1e-5 * std::max(1.0, std::abs(values[k]));
    std::vector<double> up = values, down = values;
    up[k] += h, down[k] -= h;
    const Vector expected =
        (gradient_of(*term.remade(up.data(), {}), q) - gradient_of(*term.remade(down.data(), {}), q)) / (2 * h);
    const Vector column = columns.col(static_cast<Eigen::Index>(i));
    EXPECT_LT((column - expected).norm(), 1e-6 * expected.norm() + 1e-10 * scale / h * 1e-5) << what << ", value " << k;
    EXPECT_NEAR(gradient[k], weights.dot(column), 1e-11 * column.norm() * weights.norm() + 1e-13) << what << k;
  }
  Matrix two = Matrix::Zero(q.size(), 2);
  const std::vector<int> some = {2, 0};
  ASSERT_TRUE(term.add_parameter_forces({q}, some, two));
  EXPECT_LT((two.col(0) - columns.col(static_cast<Eigen::Index>(which.size()) - 3)).norm(), 1e-14 * scale);
  EXPECT_LT((two.col(1) - columns.rightCols(1)).norm(), 1e-14 * scale);
}

TEST(ParameterForces, AreDerivativesForEveryLawOfYoungAndPoisson) {
  for (const IsotropicLaw law : {IsotropicLaw::linear, IsotropicLaw::corotational, IsotropicLaw::arap,
                                 IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean})
    for (const bool quadratic : {false, true}) {
      MaterialCase material;
      std::unique_ptr<ElasticBody> body;
      const TetElasticity& term = two_parts(material, body, &law, {}, quadratic);
      expect_exact_derivatives(term, shaken(body->affine(Vec3(1.2, 0.95, 0.9).asDiagonal()), 0.02), law.name);
    }
}

TEST(ParameterForces, AreDerivativesByEveryWeight) {
  for (const IsotropicLaw law :
       {IsotropicLaw::corotational, IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean})
    for (const bool quadratic : {false, true})
      for (const bool falls : {false, true}) {  // steeply at the ends, so that least slopes act there
        LearnedParts parts = on(law);
        parts.correction.scale = 1000;
        parts.correction.tail = {0.07, -0.04};
        const double f = falls ? -3 : 0.3;
        parts.correction.stretch.weights = {-f, -0.04, -0.05, 0.01, 0.02, 0.06, 0.05, f};
        parts.correction.area = {{0.6, 1.6, 5}, {-0.1 * f, -0.01, 0.05, 0.02, 0.1 * f}};
        parts.correction.volume.weights = {-f, -0.03, 0, 0.02, 0.04, f};
        parts.correction.kernels = {falls ? math::RadialKernel::gaussian : math::RadialKernel::multiquadric,
                                    0.15,
                                    {{1.1, 1, 0.95}, {1.3, 0.9, 0.8}},
                                    {-0.03, 0.02}};
        MaterialCase material;
        std::unique_ptr<ElasticBody> body;
        const TetElasticity& term = two_parts(material, body, nullptr, parts, quadratic);
        const std::string what = std::string(law.name) + (quadratic ? " 10" : " 4") + (falls ? " falling" : "");
        expect_exact_derivatives(term, shaken(body->affine(Vec3(1.2, 0.95, 0.9).asDiagonal()), 0.02), what);
        expect_exact_derivatives(term, shaken(body->affine(Vec3(1.8, 0.5, 1.7).asDiagonal()), 0.02), what + " far");
        expect_exact_derivatives(term, shaken(body->affine(Vec3(0.55, 0.6, 0.9).asDiagonal()), 0.02), what + " small");
      }
}

TEST(Learned, KernelsOfTheReferenceAreReproduced) {
  // fem.py of the reference: RBFEn, C = [[1.1, 1, .95], [1.3, .9, .8]], th = [-.3, .2], eps .15, E = 1e4.
  LearnedParts parts = on(IsotropicLaw::corotational);
  parts.correction.kernels = {math::RadialKernel::gaussian, 0.15, {{1.1, 1, 0.95}, {1.3, 0.9, 0.8}}, {-0.3, 0.2}};
  const auto with = stretch_response(parts);
  const auto without = stretch_response(on(IsotropicLaw::corotational));
  const Vec3 s(1.2, 1.05, 0.85);
  const Vec3 p = with(s).p - without(s).p;
  const Vec3 expected(6787.40151887, 1246.56518002, -2815.08396043);
  EXPECT_LT((p - expected).norm(), 1e-9 * expected.norm());
}

TEST(Learned, OtherWeightsShareTheElements) {
  MaterialCase material;
  std::unique_ptr<ElasticBody> body;
  const TetElasticity& term = two_parts(material, body, nullptr, on(IsotropicLaw::corotational), false);
  const ParameterList list = term.parameters();
  std::vector<std::string> names;
  for (const ParameterInfo& info : list) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"young", "regions/0/young", "poisson", "tail", "stretch", "volume"}));
  std::vector<double> values = values_of(list);
  EXPECT_EQ(term.remade(values.data(), {}), nullptr) << "nothing changed";
  values.back() = 0.25;
  const auto other = std::dynamic_pointer_cast<TetElasticity>(term.remade(values.data(), {}));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(&other->batch(), &term.batch());
  EXPECT_EQ(values_of(other->parameters()), values);
}

TEST(Learned, BadPartsAreReportedAllAtOnce) {
  LearnedParts parts = on(IsotropicLaw::linear);
  parts.moduli.young = PartwiseValue(-1.0);
  parts.correction.scale = 0;
  parts.correction.stretch = {{1.1, 1.4, 4}, {0, 0, 0, 0}};
  parts.correction.volume.weights.pop_back();
  try {
    stretch_response(parts);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 5u) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::testing::test_learned
