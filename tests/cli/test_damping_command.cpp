// `dashpot damping` converts between the names of damping.
#include <cmath>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_damping_command {
namespace {

TEST(DampingCommand, TwoPointsGiveTheRayleighCurveThroughBoth) {
  const ProgramResult result =
      run_dashpot({"damping", "--zeta", "2 Hz:0.02,20 Hz:0.05", "--f", "2 Hz,20 Hz", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = result.json();
  EXPECT_EQ(json.at("schema"), "dashpot/damping/1");
  const double alpha = json.at("rayleigh").at("alpha"), beta = json.at("rayleigh").at("beta");
  EXPECT_GT(alpha, 0);
  EXPECT_GT(beta, 0);
  const double w1 = 2 * M_PI * 2, w2 = 2 * M_PI * 20;
  EXPECT_NEAR(alpha / (2 * w1) + beta * w1 / 2, 0.02, 1e-12);
  EXPECT_NEAR(alpha / (2 * w2) + beta * w2 / 2, 0.05, 1e-12);
  ASSERT_EQ(json.at("table").size(), 2U);
  EXPECT_NEAR(json["table"][0].at("zeta"), 0.02, 1e-12);
  EXPECT_NEAR(json["table"][1].at("quality_factor"), 10, 1e-9);
}

TEST(DampingCommand, AmplitudeLostPerCycleComesBackFromTheRatioItGives) {
  const nlohmann::json first = run_dashpot({"damping", "--lost-per-cycle", "10 %", "--f", "3 Hz", "--json"}).json();
  const double zeta = first.at("table")[0].at("zeta");
  EXPECT_NEAR(zeta, 0.016766, 1e-5);
  EXPECT_NEAR(first["table"][0].at("amplitude_lost_per_cycle"), 0.1, 1e-12);
  const nlohmann::json settle =
      run_dashpot({"damping", "--settle", "2 s", "--f", "3 Hz", "--settle-to", "1 %", "--json"}).json();
  EXPECT_NEAR(settle.at("table")[0].at("settle_time"), 2, 1e-9);
}

TEST(DampingCommand, ALossFactorBecomesTheCoefficientsOfStrainRateDampingAndBack) {
  const nlohmann::json row =
      run_dashpot({"damping", "--loss-factor", "0.1", "--f", "3 Hz", "--young", "1 MPa", "--json"})
          .json()
          .at("table")[0];
  EXPECT_NEAR(row.at("strain_rate_beta"), 0.05 / (M_PI * 3), 1e-15);
  const double mu = row.at("strain_rate_viscosities").at("mu"), lambda = row["strain_rate_viscosities"].at("lambda");
  const auto back = run_dashpot({"damping", "--viscosity", nlohmann::json(mu).dump() + " Pa s", "--second-viscosity",
                                 nlohmann::json(lambda).dump() + " Pa s", "--young", "1 MPa", "--f", "3 Hz", "--json"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_NEAR(back.json().at("table")[0].at("loss_factor"), 0.1, 1e-9);
  for (const char* motion : {"stretch", "shear", "volume"})
    EXPECT_NEAR(back.json().at("beta_by_motion").at(motion), row["strain_rate_beta"], 1e-9) << motion;
  const auto creates = run_dashpot(
      {"damping", "--viscosity", "30 Pa s", "--second-viscosity", "-30 Pa s", "--young", "1 MPa", "--f", "3 Hz"});
  EXPECT_EQ(creates.exit_code, 3);
  EXPECT_NE(creates.err.find("-20 Pa s"), std::string::npos) << creates.err;
}

TEST(DampingCommand, BackwardEulerAddsDampingThatMidpointDoesNot) {
  const auto numerical = [](const char* name) {
    const ProgramResult result =
        run_dashpot({"damping", "--integrator", name, "--dt", "5 ms", "--f", "3 Hz", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json().at("table")[0].at("integrator").at("numerical_zeta").get<double>();
  };
  EXPECT_NEAR(numerical("backward_euler"), M_PI * 3 * 0.005, 0.002);  // omega h / 2 to first order
  EXPECT_NEAR(numerical("trapezoid"), 0, 1e-12);
}

TEST(DampingCommand, EveryParameterOfAnIntegratorIsAnOption) {
  const auto radius = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"damping", "--dt", "1 s", "--f", "1 kHz", "--json"});
    const ProgramResult result = run_dashpot(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json().at("table")[0].at("integrator").at("spectral_radius").get<double>();
  };
  EXPECT_NEAR(radius({"--integrator", "generalized_alpha", "--rho-inf", "0.4"}), 0.4, 0.01);
  EXPECT_NEAR(radius({"--integrator", "generalized_alpha"}), 0.8, 0.01);
  EXPECT_NEAR(radius({"--integrator", "newmark", "--newmark-beta", "0.3025", "--newmark-gamma", "0.6"}), 0.8182, 0.01);
  EXPECT_EQ(run_dashpot({"damping", "--integrator", "bathe", "--rho-inf", "0.4", "--dt", "1 ms"}).exit_code, 3);
}

TEST(DampingCommand, AllUnreadableValuesAreNamedAtOnce) {
  const ProgramResult result = run_dashpot({"damping", "--alpha", "3 kg", "--beta", "x", "--f", "5 apples"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.out.empty());
  for (const char* option : {"--alpha", "--beta", "--f"})
    EXPECT_NE(result.err.find(option), std::string::npos) << option;
}

TEST(DampingCommand, ImpossibleValuesAreBadInputAndContradictionsAreBadUsage) {
  EXPECT_EQ(run_dashpot({"damping", "--zeta=-0.1", "--f", "3 Hz"}).exit_code, 3);
  EXPECT_EQ(run_dashpot({"damping", "--zeta", "0.1", "--q-factor", "3"}).exit_code, 2);
  EXPECT_EQ(run_dashpot({"damping"}).exit_code, 2);
  EXPECT_EQ(run_dashpot({"damping", "--integrator", "bathe"}).exit_code, 2);
}

}  // namespace
}  // namespace dashpot::testing::test_damping_command
