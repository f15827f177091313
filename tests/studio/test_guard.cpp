// Who is let in: hosts, origins, tokens, targets; and the ring-down that a tracker reads.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "decay_tracker.hpp"
#include "http_routes.hpp"
#include "request_guard.hpp"

namespace dashpot::test_studio_guard {

using namespace dashpot::studio;

TEST(RequestGuard, OnlyThisMachineWithTheTokenIsLetIn) {
  const RequestGuard guard("secret", 8080, {"lab.example:9000", "notebook"});
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "lab.example:9000",
                           "notebook:1234", "notebook"})
    EXPECT_EQ(guard.refusal({host, "", "secret"}), "") << host;
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:8081", "evil.example", "evil.example:8080", "lab.example",
                           "127.0.0.1:8080.evil.example", "localhost.evil.example:8080"})
    EXPECT_NE(guard.refusal({host, "", "secret"}), "") << host;
}

TEST(RequestGuard, OtherSitesAndWrongTokensAreRefused) {
  const RequestGuard guard("secret", 8080, {});
  EXPECT_EQ(guard.refusal({"localhost:8080", "http://localhost:8080", "secret"}), "");
  for (const char* origin :
       {"http://evil.example", "null", "http://127.0.0.1:8080", "http://localhost:8081", "file://"})
    EXPECT_NE(guard.refusal({"localhost:8080", origin, "secret"}), "") << origin;
  for (const char* token : {"", "secre", "secret ", "Secret", "secretx"})
    EXPECT_NE(guard.refusal({"localhost:8080", "", token}), "") << token;
  EXPECT_EQ(guard.refusal({"localhost:8080", "", ""}, false), "");
  EXPECT_NE(guard.refusal({"evil.example", "", ""}, false), "");
}

TEST(RequestGuard, TargetsAreTakenApartAndBadOnesHaveNoPath) {
  const Target target = parse_target("/api/thumbnail?example=left+ear%21&token=a%2Bb&empty=&flag");
  EXPECT_EQ(target.path, "/api/thumbnail");
  EXPECT_EQ(target.query.at("example"), "left ear!");
  EXPECT_EQ(target.query.at("token"), "a+b");
  EXPECT_EQ(target.query.at("empty"), "");
  EXPECT_TRUE(target.query.contains("flag"));
  for (const std::string& bad :
       {std::string(), std::string("http://x/"), std::string("*"), "/" + std::string(9000, 'x')})
    EXPECT_EQ(parse_target(bad).path, "");
  EXPECT_EQ(parse_target("/a?%zz=%4").query.size(), 1U);
}

TEST(RequestGuard, TokensAreLongAndNeverTheSame) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 32U);
  EXPECT_NE(a, b);
}

TEST(DecayTracker, TheRatioOfADampedOscillationIsRead) {
  constexpr double zeta = 0.07, omega = 2 * std::numbers::pi * 3, rest = 0.4;
  const double damped = omega * std::sqrt(1 - zeta * zeta);
  const Vec3 along = Vec3(1, 2, -1).normalized();
  const auto s = [&](double t) { return rest + 0.02 * std::exp(-zeta * omega * t) * std::cos(damped * t); };
  const auto rate = [&](double t) {
    return -0.02 * std::exp(-zeta * omega * t) * (zeta * omega * std::cos(damped * t) + damped * std::sin(damped * t));
  };
  DecayTracker tracker(1.0, s(0) * along, along);
  for (int n = 0; n <= 400; ++n) tracker.add(1.0 + 0.005 * n, s(0.005 * n) * along, rate(0.005 * n) * along);
  const auto peaks = tracker.take_peaks();
  const auto ratios = tracker.take_ratios();
  ASSERT_GE(peaks.size(), 8U);
  EXPECT_LT(peaks.back().amplitude, 0.5 * peaks.front().amplitude);
  EXPECT_LT(peaks.back().time, 2.0);
  ASSERT_EQ(ratios.size(), peaks.size() - 2);
  // The first turning point is the release, whose velocity is not quite zero.
  for (std::size_t i = 1; i < ratios.size(); ++i) EXPECT_NEAR(ratios[i].zeta, zeta, 2e-4);
  EXPECT_TRUE(tracker.take_peaks().empty());
}

TEST(DecayTracker, NothingIsReadBeforeARelease) {
  DecayTracker tracker;
  for (int n = 0; n < 100; ++n) tracker.add(0.01 * n, Vec3(std::sin(n), 0, 0), Vec3(std::cos(n), 0, 0));
  EXPECT_TRUE(tracker.take_peaks().empty());
}

}  // namespace dashpot::test_studio_guard
