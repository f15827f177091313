#include "dashpot/analysis/measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_measurement {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_csv(text, "data.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Measurement, CommaSemicolonAndTabWithHeaderUnitsAndGapsGiveTheSameTable) {
  const std::string comma = "time [ms],tip_x (mm)\n0,1.5\n10,nan\n20,-2e-1\n";
  const std::string semicolon = "\xEF\xBB\xBFtime [ms];tip_x (mm)\r\n0;1,5\r\n10;\r\n20;-2e-1\r\n";
  const std::string tab = "# measured today\n\ntime [ms]\t\"tip_x (mm)\"\n0\t1.5\n10\tNA\n20\t-0.2\n";
  for (const std::string& text : {comma, semicolon, tab}) {
    const Table table = parse_csv(text, "data.csv");
    ASSERT_EQ(table.num_rows(), 3u) << text;
    EXPECT_EQ(table.index_of("tip_x"), 1);
    EXPECT_EQ(table.units[1], "mm");
    EXPECT_EQ(table.column("tip_x")[0], 1.5);
    EXPECT_TRUE(std::isnan(table.column("tip_x")[1]));
    EXPECT_EQ(table.column("TIP_X")[2], -0.2);
    EXPECT_NEAR(measured_times(table)[2], 0.02, 1e-15);
  }
}

TEST(Measurement, AFileWithoutHeaderTakesItsFirstColumnAsTime) {
  const Table table = parse_csv("0,5\n0.5,6\n1,7\n", "x");
  EXPECT_FALSE(table.has_names);
  EXPECT_EQ(table.columns[1], "2");
  EXPECT_EQ(measured_times(table)[1], 0.5);
}

TEST(Measurement, ASecondRowOfUnitsIsUnderstood) {
  const Table table = parse_csv("time,tip\n(s),[mm]\n0,1\n1,2\n", "x");
  EXPECT_EQ(table.units[0], "s");
  EXPECT_EQ(table.units[1], "mm");
  EXPECT_EQ(table.num_rows(), 2u);
}

TEST(Measurement, FramesAndARateGiveTimes) {
  const Table table = parse_csv("frame,tip\n100,1\n101,2\n103,3\n", "x");
  EXPECT_THROW(measured_times(table), Error);
  TimeRequest request;
  request.rate = 50;
  EXPECT_NEAR(measured_times(table, request)[2], 103.0 / 50, 1e-15);
}

TEST(Measurement, BadFilesAreRefusedWithLineAndReason) {
  EXPECT_NE(message_of("t,x\n0,1\n1,abc\n2\n").find("data.csv:3: 'abc' in column x"), std::string::npos)
      << message_of("t,x\n0,1\n1,abc\n2\n");
  EXPECT_NE(message_of("t,x\n0,1\n1,abc\n2\n").find("data.csv:4: 1 cells"), std::string::npos);
  EXPECT_NE(message_of("").find("no rows"), std::string::npos);
  EXPECT_NE(message_of("t,x\n").find("no rows of numbers"), std::string::npos);
  EXPECT_FALSE(message_of(std::string("\x89PNG\0\0\0", 7)).empty());
  EXPECT_NE(message_of("hello world").size(), 0u);
  std::string many = "t,x\n";
  for (int i = 0; i < 100; ++i) many += "1,oops\n";
  EXPECT_NE(message_of(many).find("data.csv:21"), std::string::npos);
  EXPECT_THROW(read_csv("/nonexistent/file.csv"), Error);
}

TEST(Measurement, AMisspelledColumnIsAnsweredWithTheNearestOne) {
  const Table table = parse_csv("t,Tip1_x,Tip1_y\n0,1,2\n", "x");
  try {
    table.column("Tip_x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean 'Tip1_x'?"), std::string::npos) << error.what();
  }
}

Table moving_beam() {
  std::string text = "t,Tip_x,Tip_y,Tip_z,Base_x,Base_y,Base_z,odd-name\n";
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i, common = 0.3 * std::sin(3 * t), swing = std::cos(40 * t);
    char line[256];
    std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n", t, 0.6 * swing + common,
                  0.8 * swing, 5 + common, common, 0.0, common, i);
    text += line;
  }
  return parse_csv(text, "beam.csv");
}

TEST(Markers, MotionRelativeToTheBaseLiesAlongItsOwnDirection) {
  const Table table = moving_beam();
  EXPECT_EQ(marker_names(table), (std::vector<std::string>{"Tip", "Base"}));
  const PrincipalMotion motion = principal_motion(relative_path(marker_path(table, "Tip"), marker_path(table, "Base")));
  EXPECT_NEAR(motion.direction[0], 0.6, 1e-12);
  EXPECT_NEAR(motion.direction[1], 0.8, 1e-12);
  EXPECT_NEAR(motion.share, 1, 1e-12);
  EXPECT_NEAR(motion.signal[10] - motion.signal[20], std::cos(4) - std::cos(8), 1e-12);
}

TEST(Markers, ColumnsAndDifferencesOfColumnsAreSignals) {
  const Table table = moving_beam();
  SignalRequest request;
  request.column = "Tip_x - Base_x";
  const MeasuredSignal signal = measured_signal(table, request);
  EXPECT_NEAR(signal.value[3], 0.6 * std::cos(40 * 0.03), 1e-12);
  request.column = "odd-name";
  EXPECT_EQ(measured_signal(table, request).value[7], 7);
  request.column = "Tip_x - Bass_x";
  EXPECT_THROW(measured_signal(table, request), Error);
  request.column.clear();
  EXPECT_THROW(measured_signal(table, request), Error);
  request.markers = {"Tip"};
  request.base = {"Base"};
  EXPECT_EQ(measured_signal(table, request).name, "Tip relative to Base along (0.60, 0.80, 0.00)");
  request.markers = {"Tap"};
  EXPECT_THROW(measured_signal(table, request), Error);
}

TEST(Markers, UnitsBehindTheNamesDoNotHideMarkers) {
  const Table table = parse_csv("t,A_x [mm],A_y [mm],A_z [mm]\n0,1,0,0\n1,2,0,0\n2,3,0,0\n", "x");
  EXPECT_EQ(marker_names(table), std::vector<std::string>{"A"});
  SignalRequest request;
  request.markers = {"A"};
  EXPECT_EQ(measured_signal(table, request).unit, "mm");
}

TEST(Markers, UnseenMarkersAreGaps) {
  const Table table = parse_csv("t,A_x,A_y,A_z\n0,1,0,0\n1,,0,0\n2,3,0,0\n3,4,0,0\n", "x");
  const PrincipalMotion motion = principal_motion(marker_path(table, "A"));
  EXPECT_TRUE(std::isnan(motion.signal[1]));
  EXPECT_NEAR(motion.signal[3] - motion.signal[0], 3, 1e-12);
}

/// A small C3D file: two points, `frames` frames, 100 Hz. `unit`: two characters for POINT:UNITS; empty: none.
std::string make_c3d(int frames, const std::string& unit = "") {
  std::string file(3 * 512 + static_cast<std::size_t>(frames) * 32, '\0');
  const auto word = [&](std::size_t at, int v) {
    file[at] = static_cast<char>(v & 255);
    file[at + 1] = static_cast<char>(v >> 8);
  };
  const auto real = [&](std::size_t at, float v) { std::memcpy(file.data() + at, &v, 4); };
  file[0] = 2;
  file[1] = 0x50;
  word(2, 2);
  word(6, 1);
  word(8, frames);
  real(12, -1);
  word(16, 4);
  real(20, 100);
  file[512] = 1;
  file[513] = 0x50;
  file[514] = 1;
  file[515] = 84;
  // Group POINT (id -1), then parameter LABELS (id 1) of two labels of four characters.
  const std::string group = std::string("\x05\xFF", 2) + "POINT" + std::string("\x03\x00\x00", 3);
  std::string labels = std::string("\x06\x01", 2) + "LABELS" + std::string("\x00\x00\xFF\x02\x04\x02", 6) + "Tip Base";
  if (!unit.empty()) {  // the distance to the next parameter counts from its own place
    labels[8] = 14;
    labels += std::string("\x05\x01", 2) + "UNITS" + std::string("\x00\x00\xFF\x01\x02", 5) + unit;
  }
  file.replace(516, group.size(), group);
  file.replace(516 + group.size(), labels.size(), labels);
  for (int f = 0; f < frames; ++f)
    for (int p = 0; p < 2; ++p) {
      const std::size_t at = 3 * 512 + static_cast<std::size_t>(f) * 32 + static_cast<std::size_t>(p) * 16;
      for (int c = 0; c < 3; ++c) real(at + 4 * static_cast<std::size_t>(c), static_cast<float>(100 * f + 10 * p + c));
      real(at + 12, f == 1 && p == 1 ? -1.0f : 0.0f);
    }
  return file;
}

TEST(C3d, PointsLabelsTimesAndOcclusionsAreRead) {
  const Table table = parse_c3d(make_c3d(3), "m.c3d");
  EXPECT_EQ(table.num_rows(), 3u);
  EXPECT_EQ(table.column("Tip_z")[2], 202);
  EXPECT_EQ(table.column("Base_y")[0], 11);
  EXPECT_TRUE(std::isnan(table.column("Base_x")[1]));
  EXPECT_NEAR(measured_times(table)[2], 0.02, 1e-12);
}

TEST(C3d, CoordinatesAreMetersWhateverTheFileCountsIn) {
  EXPECT_EQ(parse_c3d(make_c3d(3), "m.c3d").units[1], "") << "the file does not say";
  for (const auto& [unit, meters] : {std::pair{"mm", 1e-3}, {"cm", 1e-2}, {"m ", 1.0}}) {
    const Table table = parse_c3d(make_c3d(3, unit), "m.c3d");
    EXPECT_EQ(table.units[1], "m") << unit;
    EXPECT_NEAR(table.column("Tip_z")[2], 202 * meters, 1e-12) << unit;
    EXPECT_NEAR(table.column("Base_y")[0], 11 * meters, 1e-12) << unit;
    EXPECT_EQ(table.units[0], "s");
  }
  const Table strange = parse_c3d(make_c3d(3, "Hz"), "m.c3d");
  EXPECT_EQ(strange.units[1], "Hz");
  EXPECT_EQ(strange.column("Tip_z")[2], 202);
}

TEST(C3d, TruncatedOrForeignFilesAreRefused) {
  const std::string good = make_c3d(3);
  for (std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{512}, std::size_t{1100}, good.size() - 1})
    EXPECT_THROW(parse_c3d(good.substr(0, size), "m.c3d"), Error) << size;
  std::string dec = good;
  dec[515] = 85;
  EXPECT_THROW(parse_c3d(dec, "m.c3d"), Error);
  std::string claims = good;
  claims[8] = claims[9] = '\xFF';
  EXPECT_THROW(parse_c3d(claims, "m.c3d"), Error);
  for (std::size_t i = 0; i < 600; ++i) {  // no byte of header or parameters may crash the reader
    std::string broken = good;
    broken[i] = static_cast<char>(broken[i] ^ 0xA5);
    try {
      parse_c3d(broken, "m.c3d");
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace dashpot::analysis::test_measurement
