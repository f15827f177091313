#include "dashpot/reduce/quartic_form.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/parallel.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::test_quartic_form {
namespace {

/// Coefficients that differ for every monomial.
QuarticForm sample_form(int n) {
  QuarticForm form(n);
  double k = 0.3;
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b)
      for (int c = b; c < n; ++c)
        for (int d = c; d < n; ++d) form.coefficient(a, b, c, d) = std::sin(k += 1.7);
  return form;
}

double by_definition(const QuarticForm& form, const Vector& z) {
  double sum = 0;
  const int n = form.num_variables();
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b)
      for (int c = b; c < n; ++c)
        for (int d = c; d < n; ++d) sum += form.coefficient(a, b, c, d) * z[a] * z[b] * z[c] * z[d];
  return sum;
}

class QuarticFormOf : public ::testing::TestWithParam<int> {};

TEST_P(QuarticFormOf, SumsEveryMonomialOnceAndItsDerivativesAreThoseOfThePolynomial) {
  const int n = GetParam();
  const QuarticForm form = sample_form(n);
  std::srand(7);
  const Vector z = Vector::Random(n).array() + 0.3, direction = Vector::Random(n);
  QuarticForm::Scratch scratch;
  Vector gradient;
  Matrix hessian;
  const double value = form.evaluate(z, gradient, hessian, scratch);
  ASSERT_GT(std::abs(value), 1e-6);
  EXPECT_NEAR(value, by_definition(form, z), 1e-12 * (1 + form.values().size()));
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-15);
  // A quartic's central difference with step h errs by h^2 f'''/6: Richardson removes it exactly.
  const auto central = [&](double h) {
    return (by_definition(form, z + h * direction) - by_definition(form, z - h * direction)) / (2 * h);
  };
  EXPECT_NEAR(gradient.dot(direction), (4 * central(0.1) - central(0.2)) / 3, 1e-10 * (1 + gradient.norm()));
  const auto gradient_at = [&](const Vector& x) {
    Vector g;
    Matrix H;
    form.evaluate(x, g, H, scratch);
    return g;
  };
  EXPECT_TRUE(testing::derivative_slope(gradient_at, z, direction, hessian * direction).ok());
}

INSTANTIATE_TEST_SUITE_P(Sizes, QuarticFormOf, ::testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 14));

TEST(QuarticForm, GivesTheSameBitsOnOneThreadAndOnAll) {
  const QuarticForm form = sample_form(20);
  const Vector z = Vector::LinSpaced(20, -1, 0.7);
  QuarticForm::Scratch scratch;
  Vector g1, g2;
  Matrix H1, H2;
  const int threads = num_threads();
  set_num_threads(1);
  const double one = form.evaluate(z, g1, H1, scratch);
  set_num_threads(threads);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(form.evaluate(z, g2, H2, scratch), one);
    EXPECT_EQ(H1, H2);
    EXPECT_EQ(g1, g2);
  }
}

TEST(QuarticForm, StoresLittleMoreThanItsUniqueCoefficients) {
  const QuarticForm form(75);
  EXPECT_EQ(form.num_coefficients(), 1426425u);
  EXPECT_LT(static_cast<double>(form.values().size()), 1.15 * 1426425);
}

}  // namespace
}  // namespace dashpot::test_quartic_form
