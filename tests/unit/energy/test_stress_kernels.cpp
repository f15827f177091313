// The stress correction without an energy: numbers of the reference, derivatives, and why it is booked as a loss.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/stress_kernels.hpp"
#include "material_cases.hpp"

namespace dashpot::testing::test_stress_kernels {
namespace {

// fem.py of the reference: RBFSym, C = [[1.1, 1, .95], [1.3, .9, .8]], th = [-.3, .2, .1, .05, -.2, .15], E = 1e4.
StressKernels reference_kernels() {
  return {
      1e4, math::RadialKernel::distance, 0.1, {{1.1, 1, 0.95}, {1.3, 0.9, 0.8}}, {-0.3, 0.2, 0.1, 0.05, -0.2, 0.15}};
}

struct Body {
  TinyMesh mesh;
  std::shared_ptr<TetBatch> batch;
  std::shared_ptr<DissipationTerm> term;
  std::shared_ptr<const BlockPattern> pattern;

  Body(TinyMesh tiny, const StressKernels& kernels) : mesh(std::move(tiny)) {
    batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0);
    term = make_stress_kernels("body", batch, kernels);
    PatternBuilder builder;
    term->couple(builder);
    pattern = builder.build(3, static_cast<int>(mesh.X.size()));
    term->bind(*pattern);
  }
  Vector force(const DissipationTerm& of, const Vector& q, BlockMatrix* tangent = nullptr) const {
    const Vector v = Vector::Zero(q.size()), none;
    Vector f = v;
    DissipationRequest request{q, v, none, 0.01, nullptr};
    request.force = &f;
    request.tangent = tangent;
    request.dq_scale = 1;
    of.evaluate(request);
    return f;
  }
  Vector force(const Vector& q) const { return force(*term, q); }
  Vector affine(const Mat3& F) const {
    Vector q = mesh.rest();
    for (Eigen::Index i = 0; i < q.size(); i += 3) q.segment<3>(i) = F * q.segment<3>(i).eval();
    return q;
  }
};

TEST(StressKernels, HaveTheStressesOfTheReferenceInEveryOrderOfTheStretches) {
  const Body body(unit_tet(), reference_kernels());
  const double p[] = {6071.59284335, 1043.17981853, -7114.77266188}, s[] = {1.2, 1.05, 0.85};
  for (const auto& order : {Vec3(0, 1, 2), Vec3(2, 0, 1), Vec3(1, 0, 2)}) {
    Vec3 stretch, stress;
    for (int i = 0; i < 3; ++i) stretch[i] = s[static_cast<int>(order[i])], stress[i] = p[static_cast<int>(order[i])];
    const Mat3 R = rotation({0.4, -0.9, 0.3});
    const Vector f = body.force(body.affine(R * Mat3(stretch.asDiagonal())));
    for (int i = 0; i < 3; ++i)  // node i + 1: V P g, V = 1/6
      EXPECT_LT((6 * f.segment<3>(3 * (i + 1)) - R.col(i) * stress[i]).norm(), 1e-7);
  }
  EXPECT_LT(body.force(body.mesh.rest()).norm(), 1e-9);
}

TEST(StressKernels, DerivativesByWeightsAreDifferences) {
  for (const bool quadratic : {false, true})
    for (const math::RadialKernel kind : {math::RadialKernel::distance, math::RadialKernel::gaussian}) {
      StressKernels kernels = reference_kernels();
      kernels.kind = kind;
      const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.5);
      const Body body(quadratic ? with_mid_nodes(mesh) : mesh, kernels);
      const Vector q = shaken(body.affine(Vec3(1.2, 0.95, 0.9).asDiagonal()), 0.02), none;
      const std::vector<int> which = {5, 0, 2, 4, 1, 3};
      Matrix columns = Matrix::Zero(q.size(), 6);
      ASSERT_TRUE(body.term->add_parameter_forces({q, q, none, 0.01, nullptr}, which, columns));
      for (std::size_t i = 0; i < 6; ++i) {
        std::vector<double> up = kernels.weights, down = up;
        up[static_cast<std::size_t>(which[i])] += 1e-3, down[static_cast<std::size_t>(which[i])] -= 1e-3;
        const Vector expected =
            (body.force(*body.term->remade(up.data(), {}), q) - body.force(*body.term->remade(down.data(), {}), q)) /
            2e-3;
        ASSERT_GT(expected.norm(), 1);
        EXPECT_LT((columns.col(static_cast<Eigen::Index>(i)) - expected).norm(), 1e-9 * expected.norm());
      }
    }
}

TEST(StressKernels, TheTangentIsTheSymmetricPartOfTheDerivativeOfTheForce) {
  const Body body(unit_tet(), reference_kernels());
  const Vector q = body.affine(rotation({0.4, -0.9, 0.3}) * Vec3(1.2, 1.05, 0.85).asDiagonal());
  BlockMatrix K(body.pattern);
  body.force(*body.term, q, &K);
  Matrix D(12, 12);
  for (int i = 0; i < 12; ++i) {
    Vector up = q, down = q;
    up[i] += 1e-5, down[i] -= 1e-5;
    D.col(i) = (body.force(up) - body.force(down)) / 2e-5;
  }
  EXPECT_GT((D - D.transpose()).norm(), 0.05 * D.norm()) << "there is no energy";
  EXPECT_LT((K.dense() - 0.5 * (D + D.transpose())).norm(), 1e-6 * D.norm());
}

TEST(StressKernels, ACycleOfStrainDoesWork) {
  const Body body(unit_tet(), reference_kernels());
  double work = 0, way = 0;
  const int num_steps = 2000;
  Vector before = body.affine(Vec3(1.28, 1.05, 0.9).asDiagonal());
  for (int n = 1; n <= num_steps; ++n) {
    const double t = 2 * 3.14159265358979 * n / num_steps;
    const Vector now = body.affine(Vec3(1.2 + 0.08 * std::cos(t), 1.05 + 0.08 * std::sin(t), 0.9).asDiagonal());
    const double one = body.force(0.5 * (before + now)).dot(now - before);
    work += one, way += std::abs(one);
    before = now;
  }
  EXPECT_GT(std::abs(work), 0.01 * way) << "what comes back is not what went in";
}

TEST(StressKernels, BadOnesAreRefused) {
  StressKernels kernels = reference_kernels();
  kernels.weights.pop_back();
  kernels.width = 0;
  try {
    Body body(unit_tet(), kernels);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_stress_kernels
