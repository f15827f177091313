#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dashpot/core/units.hpp"

namespace dashpot::test_units {
namespace {

double value_of(const std::string& text, Quantity quantity) {
  const ParsedQuantity parsed = parse_quantity(text, quantity);
  EXPECT_EQ(parsed.error, "") << text;
  return parsed.value;
}

TEST(Units, PeopleWriteQuantitiesAsTheySpeak) {
  EXPECT_EQ(value_of("12 kPa", Quantity::pressure), 12000);
  EXPECT_EQ(value_of("12kPa", Quantity::pressure), 12000);
  EXPECT_EQ(value_of("3 Hz", Quantity::frequency), 3);
  EXPECT_EQ(value_of("5 %", Quantity::ratio), 0.05);
  EXPECT_EQ(value_of("5 ms", Quantity::time), 0.005);
  EXPECT_EQ(value_of("0.1 /s", Quantity::rate), 0.1);
  EXPECT_EQ(value_of("0.1 1/s", Quantity::rate), 0.1) << "'1/s' is read as the unit per second";
  EXPECT_EQ(value_of("1 g/cm3", Quantity::density), 1000);
  EXPECT_EQ(value_of("1 g/cm^3", Quantity::density), 1000);
  EXPECT_EQ(value_of("1 g/cm\xC2\xB3", Quantity::density), 1000);
  EXPECT_EQ(value_of("9.81 m/s2", Quantity::acceleration), 9.81);
  EXPECT_EQ(value_of("2 N s/m", Quantity::damper), 2);
  EXPECT_EQ(value_of("1 N/mm2", Quantity::pressure), 1e6);
  EXPECT_EQ(value_of("1 N/mm", Quantity::stiffness), 1000);
  EXPECT_EQ(value_of("3 \xC2\xB5m", Quantity::length), 3e-6);
  EXPECT_EQ(value_of("2 min", Quantity::time), 120);
  EXPECT_EQ(value_of("-2e-3", Quantity::length), -0.002);
}

TEST(Units, DecimalPrefixesRoundOnlyOnce) {
  EXPECT_EQ(value_of("0.1 ms", Quantity::time), 0.0001);
  EXPECT_EQ(value_of("0.3 kPa", Quantity::pressure), 300);
  EXPECT_EQ(value_of("1.1e3 mm", Quantity::length), 1.1);
  EXPECT_EQ(value_of("1e2 %", Quantity::ratio), 1);
}

TEST(Units, AFrequencyMayBeAnAngularVelocityButNotARate) {
  EXPECT_NEAR(value_of("1 rad/s", Quantity::frequency), 0.5 / std::numbers::pi, 1e-15);
  EXPECT_NEAR(value_of("60 rpm", Quantity::frequency), 1, 1e-15);
  EXPECT_NEAR(value_of("1 Hz", Quantity::angular_velocity), 2 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(value_of("180 deg", Quantity::angle), std::numbers::pi, 1e-15);
  EXPECT_EQ(value_of("2 rad/s", Quantity::angular_velocity), 2);
  EXPECT_NE(parse_quantity("3 Hz", Quantity::rate).error, "");
}

TEST(Units, AWrongDimensionNamesWhatWasFoundAndWhatWasExpected) {
  EXPECT_EQ(parse_quantity("3 kg", Quantity::time).error, "found '3 kg', expected a time such as '5 ms'");
  EXPECT_NE(parse_quantity("3 parsec", Quantity::length).error.find("unit not understood"), std::string::npos);
}

TEST(Units, WrongCapitalsArePointedOut) {
  EXPECT_NE(parse_quantity("1 Mpa", Quantity::pressure).error.find("did you mean 'MPa'?"), std::string::npos);
  EXPECT_NE(parse_quantity("2 khz", Quantity::frequency).error.find("did you mean 'kHz'?"), std::string::npos);
}

TEST(Units, NonsenseIsRefusedAndNeverThrows) {
  for (const char* text : {"",    " ",    "ms",     "NaN",      "inf",     "0x10", "1e999",  "1e99999999999999999999",
                           "5 /", "5 m^", "5 m^99", "5 kg/m s", "--1",     "1..2", "5 \xC2", "5 m s",
                           ".",   "+",    "e5",     "5 ^2",     "1e308 km"})
    EXPECT_NE(parse_quantity(text, Quantity::length).error, "") << text;
  EXPECT_EQ(parse_quantity("1e-400", Quantity::length).error, "") << "underflow is zero, not nonsense";
}

TEST(Units, FormattedQuantitiesReadBackToTheSameBits) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12);
  for (const QuantityInfo& info : all_quantities())
    for (int i = 0; i < 500; ++i) {
      const double value = (i % 2 == 0 ? 1 : -1) * std::pow(10.0, exponent(random));
      const ParsedQuantity parsed = parse_quantity(format_quantity(value, info.quantity), info.quantity);
      EXPECT_EQ(parsed.error, "");
      ASSERT_EQ(parsed.value, value) << format_quantity(value, info.quantity);
    }
  EXPECT_EQ(format_quantity(0.005, Quantity::time), "5 ms");
  EXPECT_EQ(format_quantity(12000, Quantity::pressure), "12 kPa");
  EXPECT_EQ(format_quantity(0.3, Quantity::length), "300 mm");
  EXPECT_EQ(format_quantity(0, Quantity::rate), "0 /s");
  EXPECT_EQ(describe_quantity(4933.3, Quantity::pressure, 3), "4.93 kPa");
}

TEST(Units, EveryExampleInTheTableReadsAsItsOwnQuantity) {
  for (const QuantityInfo& info : all_quantities())
    EXPECT_EQ(parse_quantity(info.example, info.quantity).error, "") << info.name;
}

}  // namespace
}  // namespace dashpot::test_units
