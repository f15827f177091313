// What laws write when a pass begins: once, each its own.
#include <gtest/gtest.h>

#include "dashpot/element/company.hpp"
#include "dashpot/element/line_pass.hpp"

namespace dashpot::testing::test_pass_numbers {
namespace {

const std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};

/// Springs of the tension rate * (sum of its numbers), which are dt, dt + 1, ...
struct Counting final : LineLaw {
  std::shared_ptr<LineBatch> springs =
      std::make_shared<LineBatch>(2, std::vector<int>{0, 1, 1, 2}, std::vector<double>{-1, 1, -1, 1}, X, 0);
  int count, *written;
  Counting(int numbers, int* counter) : count(numbers), written(counter) {}
  const LineBatch& batch() const override { return *springs; }
  int num_pass_numbers() const override { return count; }
  void write_pass_numbers(const DissipationRequest& request, double* numbers) const override {
    ++*written;
    for (int k = 0; k < count; ++k) numbers[k] = request.dt + k;
  }
  void respond(const DissipationRequest&, const MeasurePoint& here, MeasureResponse& out) const override {
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += here.pass_numbers[k];
    out.tension = math::Pack4(sum) * here.rate;
    out.by_measure = out.by_rate = math::Pack4(0.0);
  }
};

TEST(PassNumbers, AreWrittenOnceForEachLawAndReachEveryPoint) {
  int written[3] = {0, 0, 0};
  const Counting none(0, &written[0]), one(1, &written[1]), three(3, &written[2]);
  const Vector q = (Vector(9) << 0, 0, 0, 1, 0, 0, 3, 0, 0).finished(),
               v = (Vector(9) << 0, 0, 0, 0.5, 0, 0, 2, 0, 0).finished(), xi;
  const DissipationRequest early{q, v, xi, 0.25, nullptr}, late{q, v, xi, 2, nullptr};
  const LawCall calls[] = {{&one, &early}, {&none, &early}, {&three, &late}};
  const CompanyOf<LineLaw> company(calls);
  ASSERT_EQ(company.laws().size(), 3U);
  EXPECT_EQ(company.laws()[0].pass_numbers[0], 0.25);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(company.laws()[2].pass_numbers[k], 2 + k);
  EXPECT_EQ(written[1], 1);
  EXPECT_EQ(written[2], 1);

  // Alone: rates 0.5 and 1.5, numbers 2 + 3 + 4.
  Vector f = Vector::Zero(9);
  DissipationRequest request{q, v, xi, 2, nullptr};
  request.force = &f;
  EXPECT_NEAR(evaluate_alone(three, request), 9 * (0.25 + 2.25), 1e-13);
  EXPECT_EQ(written[2], 2);
  EXPECT_NEAR(f[6], 9 * 1.5, 1e-13);
}

}  // namespace
}  // namespace dashpot::testing::test_pass_numbers
