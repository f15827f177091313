// Gains that depend on the state: derivatives, laws, corotated measure.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/mesh/generate.hpp"
#include "support/damping_laws.hpp"
#include "support/derivative_slope.hpp"
#include "support/elastic_body.hpp"
#include "support/portable_noise.hpp"
#include "unit/dissipation/example_chain.hpp"

namespace dashpot::testing::test_example_gains {
namespace {

const Coupling all_couplings[] = {Coupling::raw, Coupling::symmetrized, Coupling::nonnegative, Coupling::lowdin};

Vector noise(int first, double scale) {
  Vector result(5);
  for (int i = 0; i < 5; ++i) result[i] = scale * rnd(first + i);
  return result;
}

std::vector<math::GainCurve> curves() {
  return {math::GainCurve::through({{0, 0.1}, {0.5, 2}, {1.5, 6}}, math::GainCurve::Kind::monotone),
          math::GainCurve::through({{0, 30}, {1, 0.3}}, math::GainCurve::Kind::linear),
          math::GainCurve::preset("sticky_middle", 0.2, 20)};
}

void expect_slopes(const ExampleChain& chain, const std::string& what, bool in_q_too) {
  const Vector q = noise(3, 0.15), v = noise(20, 0.2), d = noise(40, 1);
  const Vector zero = Vector::Zero(5);
  const auto in_v =
      derivative_slope([&](const Vector& x) { return chain.force(q, x); }, v, d, chain.tangent(q, v, 1, 0) * d, 1e-3);
  EXPECT_TRUE(in_v.ok()) << what << " df/dv: slope " << in_v.slope << ", " << in_v.relative_remainder;
  if (!in_q_too) return;
  const auto in_q =
      derivative_slope([&](const Vector& x) { return chain.force(x, v); }, q, d, chain.tangent(q, v, 0, 1) * d, 1e-3);
  EXPECT_TRUE(in_q.ok()) << what << " df/dq: slope " << in_q.slope << ", " << in_q.relative_remainder;
}

TEST(ExampleGains, DerivativesAreConsistentForEveryCouplingAndInput) {
  for (const Coupling coupling : all_couplings) {
    for (const GainInput input : {GainInput::displacement, GainInput::velocity}) {
      ExampleBasedOptions options = with_coupling(coupling);
      options.input = input;
      const ExampleChain chain(chain_examples(), curves(), options);
      expect_slopes(chain, to_string(coupling) + " " + to_string(input), input == GainInput::displacement);
    }
  }
}

TEST(ExampleGains, DerivativesOfTheIsotropicGainAreConsistentAloneWithExamplesAndForFreeBodies) {
  const IsotropicGain gain{math::GainCurve::through({{0, 0.1}, {1, 40}}, math::GainCurve::Kind::linear)};
  for (const auto norm : {IsotropicGain::Norm::mass_rms, IsotropicGain::Norm::euclidean}) {
    for (const bool is_free : {false, true}) {
      ExampleBasedOptions options;
      options.isotropic = gain;
      options.isotropic->norm = norm;
      options.is_free_body = is_free;
      expect_slopes(ExampleChain(Matrix(5, 0), {}, options), "isotropic", true);
      options.input = GainInput::displacement;
      expect_slopes(ExampleChain(chain_examples(), curves(), options), "isotropic and examples", true);
    }
  }
}

TEST(ExampleGains, OneExampleOfDisplacementHasAmplitudeOne) {
  Matrix X = chain_examples();
  X(0, 2) = 0.5;  // without it the second and third are a rigid motion together
  for (const bool is_free : {false, true}) {
    ExampleBasedOptions options;
    options.is_free_body = is_free;
    options.input = GainInput::displacement;
    const ExampleChain chain(X, curves(), options);
    const Vector chi = chain.term->amplitudes(chain.scratch.get(), X * numbers({0.3, -2, 0.7}), Vector::Zero(5));
    EXPECT_LT((chi - numbers({0.3, -2, 0.7})).norm(), 1e-12);
    const Vector rigid = chain.term->amplitudes(chain.scratch.get(), Vector::Constant(5, 0.8), Vector::Zero(5));
    if (is_free)
      EXPECT_LT(rigid.norm(), 1e-12);
    else
      EXPECT_GT(rigid.norm(), 0.1);
  }
}

TEST(ExampleGains, MassWeightedRmsIsTheLengthOfAUniformDisplacement) {
  ExampleBasedOptions options;
  options.isotropic = IsotropicGain{math::GainCurve::through({{0, 0.1}, {1, 10}}, math::GainCurve::Kind::linear)};
  const ExampleChain chain(Matrix(5, 0), {}, options);
  const Vector v = noise(1, 1);
  const Vector f = chain.force(Vector::Constant(5, 0.5), v);
  ASSERT_GT(f.norm(), 0);
  EXPECT_LT((f - chain_ch5().C * v).norm(), 1e-12 * f.norm());  // log10 gamma = -1 + 2 * 0.5
}

/// A bar with three smooth examples over gauss_newton Rayleigh damping, nothing pinned.
Matrix bar_examples(const Vector& rest) {
  Matrix X(rest.size(), 3);
  for (Eigen::Index i = 0; i < rest.size(); i += 3) {
    const Vec3 x = rest.segment<3>(i) - Vec3(0.15, 0.05, 0.05);
    X.block<3, 1>(i, 0) = Vec3(-2 * x[0] * x[1], x[0] * x[0], 0);  // bending
    X.block<3, 1>(i, 1) = Vec3(0, -x[0] * x[2], x[0] * x[1]);      // twist
    X.block<3, 1>(i, 2) =
        Vec3(0.3 * x[0], -0.1 * x[1], -0.1 * x[2]) + Vec3(0, 0, 0.02);  // stretch, and some rigid part
  }
  return X;
}

std::vector<DampingExample> as_examples(const Matrix& X, const std::vector<math::GainCurve>& gains) {
  std::vector<DampingExample> examples;
  for (Eigen::Index i = 0; i < X.cols(); ++i)
    examples.push_back({fmt::format("x{}", i + 1), X.col(i), gains[static_cast<std::size_t>(i)]});
  return examples;
}

struct DesignedBar {
  const ExampleBased* term = nullptr;
  std::shared_ptr<const System> system;
  DesignedBar(const ExampleBasedOptions& options, const std::vector<math::GainCurve>& gains, double alpha = 0,
              StiffnessPart part = StiffnessPart::gauss_newton) {
    ElasticBodyOptions body;
    body.alpha = alpha;
    body.beta = 0.01;
    body.stiffness = part;
    body.design = [&](std::unique_ptr<Rayleigh> base, const MassSource& mass, const Vector& rest) {
      const Rayleigh* C = base.get();
      auto made =
          std::make_unique<ExampleBased>("body", std::move(base), C, mass, rest, 0, static_cast<int>(rest.size() / 3),
                                         as_examples(bar_examples(rest), gains), options);
      term = made.get();
      return made;
    };
    system = elastic_body(make_bar(Vec3(0.3, 0.1, 0.1), {3, 1, 1}), body);
  }
};

TEST(ExampleGains, LawsOfDampingHoldForSafeCouplingsOverConstantAndLaggedBases) {
  DampingLawOptions laws;
  laws.num_states = 200;
  for (const Coupling coupling : {Coupling::nonnegative, Coupling::lowdin}) {
    for (const StiffnessPart part : {StiffnessPart::rest, StiffnessPart::gauss_newton}) {
      const DesignedBar bar(with_coupling(coupling), constant_gains({0.1, 30, 4}), 0, part);
      expect_dissipation_laws(*bar.system, 0, laws);
    }
    for (const GainInput input : {GainInput::displacement, GainInput::velocity}) {
      for (const bool corotated : {false, true}) {
        ExampleBasedOptions options = with_coupling(coupling);
        options.input = input;
        options.corotated = corotated;
        options.is_free_body = true;
        options.isotropic = IsotropicGain{math::GainCurve::preset("soft_landing", 0.03, 5)};
        const DesignedBar bar(options, curves(), coupling == Coupling::lowdin ? 0.0 : 0.5);
        expect_dissipation_laws(*bar.system, 0, laws);
      }
    }
  }
}

TEST(ExampleGains, ASpinningBodyIsDampedLikeOneAtRest) {
  ExampleBasedOptions options;
  options.input = GainInput::displacement;
  options.corotated = true;
  const DesignedBar bar(options, curves());
  const Vector& rest = bar.system->rest();
  const Matrix X = bar_examples(rest);
  const Vector bent = rest + 0.5 * X.col(0) + 0.2 * X.col(1), rate = 3.0 * X.col(0) - X.col(2);
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vec3 spin(0.3, -1.1, 0.7), shift(5, -3, 2);
  const auto turned = [&](const Vector& x, const Vec3& by) {
    Vector y = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3) y.segment<3>(i) = R * x.segment<3>(i) + by;
    return y;
  };
  Vector spinning = turned(rate, Vec3::Zero());
  const Vector moved = turned(bent, shift);
  for (Eigen::Index i = 0; i < moved.size(); i += 3) spinning.segment<3>(i) += spin.cross(Vec3(moved.segment<3>(i)));

  const auto evaluate = [&](const Vector& q, const Vector& v, Vector& chi) {
    State state = bar.system->initial_state();
    state.q = q;
    const auto scratch = bar.term->make_scratch();
    bar.term->begin_step(state, scratch.get());
    chi = bar.term->amplitudes(scratch.get(), q, v);
    Vector f = Vector::Zero(q.size());
    const Vector xi;
    DissipationRequest request{q, v, xi, 0.01, scratch.get()};
    request.force = &f;
    bar.term->evaluate(request);
    return f;
  };
  Vector chi, chi_spinning;
  const Vector f = evaluate(bent, rate, chi), f_spinning = evaluate(moved, spinning, chi_spinning);
  ASSERT_GT(f.norm(), 0);
  EXPECT_NEAR(chi[0], 0.5, 0.05);  // the best rotation of a bent body is not exactly none
  EXPECT_LT((chi - chi_spinning).norm(), 1e-11);
  EXPECT_LT((turned(f, Vec3::Zero()) - f_spinning).norm(), 1e-10 * f.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_example_gains
