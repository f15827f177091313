#include "dashpot/core/csv.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"

namespace dashpot::test_csv {
namespace {

TEST(Csv, AMotionCaptureFileGivesItsColumnsAndItsTime) {
  const Table table = parse_csv("frame,t_s,Tip1_x\r\n0,0.00,0.5\r\n1,0.01,-2.5e-1\r\n", "beam.csv");
  ASSERT_EQ(table.num_rows(), 2U);
  EXPECT_EQ(table.time_column(), 1U);
  EXPECT_EQ(table.column("Tip1_x")[1], -0.25);
}

TEST(Csv, SeparatorsCommentsGapsAndByteOrderMarksAreUnderstood) {
  const Table table = parse_csv("\xEF\xBB\xBF# measured by hand\n\nTime [s];x;x\n0;1;2\n0.5;;nan\n", "m.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"Time [s]", "x", "x (2)"}));
  EXPECT_EQ(table.time_column(), 0U);
  EXPECT_TRUE(std::isnan(table.values[1][1]));
  EXPECT_TRUE(std::isnan(table.values[2][1]));
  const Table blanks = parse_csv("0   1.5\n 1 2.5", "m.txt");
  EXPECT_EQ(blanks.columns, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(blanks.values[1][1], 2.5);
}

TEST(Csv, AllBrokenLinesAreReportedAtOnceWithTheirNumbers) {
  try {
    parse_csv("time,x\n0,1\n1\n2,abc\n3,4\n", "bad.csv");
    FAIL() << "accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(error.problems()[0].place, "bad.csv:3");
    EXPECT_EQ(error.problems()[1].place, "bad.csv:4");
  }
}

TEST(Csv, AnUnknownColumnIsAnsweredWithTheNearestName) {
  const Table table = parse_csv("time,tip.x,tip.y\n0,1,2\n", "p.csv");
  try {
    table.column("tip.z");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.problems()[0].remedy.find("tip."), std::string::npos);
  }
  EXPECT_THROW(parse_csv("a,b\n1,2\n", "x").time_column(), Error);
}

TEST(Csv, GarbageIsRefusedAndNothingCrashes) {
  EXPECT_THROW(parse_csv("", "x"), Error);
  EXPECT_THROW(parse_csv(std::string("\0\1\2\n\xff\xfe,\n", 7), "x"), Error);
  EXPECT_THROW(parse_csv("time,x\n", "x"), Error);
}

}  // namespace
}  // namespace dashpot::test_csv
