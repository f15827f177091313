// Memory keeps the order of the stepper: halving dt against a fine reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dashpot/dissipation/bouc_wen.hpp"
#include "dashpot/dissipation/prony.hpp"
#include "support/bar16.hpp"
#include "support/given_moduli.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_memory_order {
namespace {

/// BAR16 with two branches on all of the strain; the slower one outlasts the run, the faster one does not.
Bar16 remembering_bar() {
  return Bar16([](const Bar16::Parts& parts) {
    Moduli moduli{Moduli::Kind::lame, {}, {}};
    for (int e = 0; e < parts.batch->num_tets(); ++e) moduli.of_element.insert(moduli.of_element.end(), {80.0, 150.0});
    std::vector<PronyBranch> branches{{PartwiseValue(0.8), 0.05, "a", "b"}, {PartwiseValue(0.5), 0.4, "c", "d"}};
    return std::make_unique<PronySeries>("prony", "bar", parts.batch, moduli, branches);
  });
}

struct End {
  Vector q, v, xi;
};

End end_of(const Bar16& bar, const std::string& stepper_name, double dt, int steps) {
  const Vector X = bar.system->rest();
  State state = start_at(*bar.system, X + 0.3 * (bar.noisy_q() - X), 0.3 * bar.spinning_v());
  const auto stepper = stepper_named(stepper_name);
  EXPECT_TRUE(run_steps(*bar.system, *stepper, state, dt, steps));
  return {state.q, state.v, state.internal_variables[0]};
}

/// BAR16 with hysteresis that yields well within its motion.
struct YieldingBar {
  std::unique_ptr<GivenModuli> moduli;
  Bar16 bar = Bar16([this](const Bar16::Parts& parts) {
    moduli = std::make_unique<GivenModuli>(parts.batch, 80, 150);
    return std::make_unique<BoucWen>("bouc_wen", "bar", *moduli, BoucWenOptions{0.5, 0.05, 1, 1});
  });
};

/// Positions, velocities and memory at the end against a fine run; `most`: the order that the memory has at most.
void expect_order(const Bar16& bar, double end, int most) {
  const End exact = end_of(bar, "sdirk3", end / 2560, 2560);
  ASSERT_GT(exact.xi.norm(), 1e-2);
  for (const auto& [name, integrator] : stepper_cases()) {
    const int known = std::min(order(integrator), most);
    const int coarse = solves_per_step(integrator) == 0 ? 320 : 80;  // explicit ones must be stable
    const auto errors = [&](int steps) {
      const End found = end_of(bar, name, end / steps, steps);
      return Vec3((found.q - exact.q).norm(), (found.v - exact.v).norm(), (found.xi - exact.xi).norm());
    };
    const Vec3 first = errors(coarse), second = errors(2 * coarse);
    for (int k = 0; k < 3; ++k) {
      const double found = std::log2(first[k] / second[k]);
      ::testing::Test::RecordProperty(name + (k == 0 ? " q" : k == 1 ? " v" : " memory"), std::to_string(found));
      EXPECT_GT(found, known - 0.25) << name << (k == 0 ? ", positions" : k == 1 ? ", velocities" : ", memory");
    }
  }
}

TEST(MemoryOrder, EveryStepperKeepsItsOwn) { expect_order(remembering_bar(), 0.08, 3); }

// Over a time within which no strain turns round; there a step is of first order in itself.
TEST(MemoryOrder, HysteresisKeepsTheSecond) { expect_order(YieldingBar().bar, 0.02, 2); }

}  // namespace
}  // namespace dashpot::testing::test_memory_order
