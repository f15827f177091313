#include "dashpot/render/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "dashpot/core/error.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/render/decimate.hpp"
#include "dashpot/render/markup.hpp"
#include "dashpot/render/ticks.hpp"
#include "unit/render/count_words.hpp"

namespace dashpot::render::test_svg_plot {
namespace {

Figure one_line(std::vector<double> x, std::vector<double> y) {
  Panel panel;
  panel.title = "Panel";
  panel.x = {"time", "s"};
  panel.y = {"displacement", "m"};
  panel.series = {Series{"tip", std::move(x), std::move(y)}};
  Figure figure;
  figure.title = "Figure";
  figure.description = "One line";
  figure.panels = {panel};
  return figure;
}

/// Every element that opens also closes, in order.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" />", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(SvgPlot, CarriesTitleDescriptionRoleAndProvenance) {
  const std::string svg = to_svg(one_line({0, 1, 2}, {0, 1, 4}));
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
  EXPECT_NE(svg.find("<title id=\"dashpot-title\">Figure</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc id=\"dashpot-desc\">One line</desc>"), std::string::npos);
  EXPECT_NE(svg.find("<metadata>dashpot " + version() + " " + commit() + "</metadata>"), std::string::npos);
  EXPECT_NE(svg.find("displacement [m]"), std::string::npos);
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(SvgPlot, NotANumberAndInfinityAreGapsAndNeverReachTheFile) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::string svg = to_svg(one_line({0, 1, 2, 3, 4, 5, 6}, {0, 1, nan, 2, inf, 3, 1}));
  EXPECT_EQ(count(svg, "nan"), 0);
  EXPECT_EQ(count(svg, "inf"), 0);
  const std::size_t path = svg.find("class=\"dp-line\"");
  ASSERT_NE(path, std::string::npos);
  const std::string d = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(count(d, "M"), 3);  // three pieces
}

TEST(SvgPlot, ValuesThatAreNotPositiveAreLeftOutOfALogarithmicAxis) {
  Figure figure = one_line({0, 1, 2, 3}, {1e-3, 0, -1, 1e3});
  figure.panels[0].y.is_logarithmic = true;
  const std::string svg = to_svg(figure);
  EXPECT_EQ(count(svg, "nan"), 0);
  EXPECT_NE(svg.find("10\u207b\u00b2"), std::string::npos);
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(SvgPlot, EmptyAndConstantDataStillGiveAPicture) {
  for (const Figure& figure : {one_line({}, {}), one_line({0, 1}, {5, 5}), one_line({0}, {0}), one_line({1, 1}, {1, 2}),
                               one_line({0, 1}, {std::nan(""), std::nan("")})}) {
    const std::string svg = to_svg(figure);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(count(svg, "nan"), 0);
  }
  EXPECT_NE(to_svg(one_line({}, {})).find("no data to show"), std::string::npos);
}

TEST(SvgPlot, UserTextCannotBreakOutOfTheMarkup) {
  Figure figure = one_line({0, 1}, {0, 1});
  figure.title = "</title><script>alert('x')</script>";
  figure.panels[0].series[0].name = "a & b <c> \"d\"";
  const std::string svg = to_svg(figure, {true, "id\"><script>", "x</metadata>"});
  EXPECT_EQ(count(svg, "<script"), 0);
  EXPECT_NE(svg.find("a &amp; b &lt;c&gt;"), std::string::npos);
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(SvgPlot, AMillionSamplesStayBelow200Kilobytes) {
  std::vector<double> x, y;
  for (int i = 0; i < 1000000; ++i) {
    x.push_back(1e-5 * i);
    y.push_back(std::sin(0.3 * i) * std::exp(-1e-6 * i) + 1e-3 * (i % 7));
  }
  Figure figure = one_line(x, y);
  figure.panels[0].series.push_back({"again", x, y});
  const std::string svg = to_svg(figure);
  EXPECT_LT(svg.size(), 200000u);
  EXPECT_GT(svg.size(), 5000u);
}

TEST(SvgPlot, DecimationKeepsEveryPeakOfANarrowSpike) {
  std::vector<PixelPoint> points;
  for (int i = 0; i < 100000; ++i)
    points.push_back({i * 0.005, i == 54321 ? -70.0 : (i == 77777 ? 90.0 : std::sin(0.01 * i)), i == 0});
  const std::vector<PixelPoint> kept = decimate(points);
  EXPECT_LT(kept.size(), 1100u);
  double low = 0, high = 0;
  for (const PixelPoint& p : kept) {
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  EXPECT_EQ(low, -70);
  EXPECT_EQ(high, 90);
  EXPECT_TRUE(kept.front().starts_line);
}

TEST(SvgPlot, LoopsAreDecimatedByDistanceNotByColumn) {
  std::vector<PixelPoint> points;
  for (int i = 0; i < 50000; ++i) points.push_back({100 * std::cos(1e-3 * i), 100 * std::sin(1e-3 * i), i == 0});
  const std::vector<PixelPoint> kept = decimate(points);
  EXPECT_LT(kept.size(), 6001u);
  EXPECT_GT(kept.size(), 500u);
  for (const PixelPoint& p : kept) EXPECT_NEAR(std::hypot(p.x, p.y), 100, 1e-9);
}

TEST(SvgPlot, StackedAreasAddUpToTheSum) {
  Figure figure = one_line({0, 1, 2}, {1, 2, 3});
  figure.panels[0].is_stacked = true;
  figure.panels[0].series.push_back({"second", {0, 1, 2}, {4, 3, 2}});
  figure.panels[0].y.max = 10;
  const std::string svg = to_svg(figure);
  EXPECT_EQ(count(svg, "class=\"dp-area\""), 2);
  // 1 + 4 = 2 + 3 = 3 + 2 = 5 of 10: the upper edge is flat, half way up.
  EXPECT_NE(svg.find("M38.9 261l399.5 0l399.6 0l0 60"), std::string::npos) << svg;
  figure.panels[0].series[1].x[1] = 0.5;
  EXPECT_THROW(to_svg(figure), Error);
}

TEST(SvgPlot, SeriesOfUnequalLengthAreRefused) {
  EXPECT_THROW(to_svg(one_line({0, 1}, {0})), Error);
  Figure figure = one_line({0, 1}, {0, 1});
  figure.panels[0].series[0].y_error = {1};
  EXPECT_THROW(to_svg(figure), Error);
}

TEST(Ticks, AreRoundNumbersInsideTheRangeWithPrefixedUnits) {
  const Ticks t = linear_ticks(0, 0.0123, 6, "J");
  EXPECT_EQ(t.unit, "mJ");
  ASSERT_GE(t.major.size(), 4u);
  EXPECT_EQ(t.labels.front(), "0");
  EXPECT_EQ(t.labels.back(), "12");
  EXPECT_EQ(linear_ticks(-3, 3, 6, "").labels.front(), "\u22123");
  EXPECT_EQ(linear_ticks(0, 5e6, 5, "").unit, "10\u2076");
  EXPECT_EQ(linear_ticks(0, 5e6, 5, "1/s").unit, "10\u2076 1/s");
  EXPECT_EQ(linear_ticks(0, 0.05, 5, "").unit, "");
}

TEST(Ticks, LogarithmicAxesShowDecadesOrOneTwoFive) {
  const Ticks wide = log_ticks(1e-8, 1e-1, 8, "");
  EXPECT_EQ(wide.labels.front(), "10\u207b\u2078");
  EXPECT_EQ(wide.major.size(), 8u);
  const Ticks narrow = log_ticks(0.9, 12, 8, "m");
  ASSERT_EQ(narrow.major.size(), 4u);
  EXPECT_EQ(narrow.labels[1], "2");
  EXPECT_EQ(log_ticks(4e-4, 6e-3, 5, "m").unit, "mm");
}

TEST(Ticks, LogarithmicAxesOfLessThanADecadeAreLabeledToo) {
  EXPECT_GE(log_ticks(5.3e-3, 8.4e-3, 5, "m").labels.size(), 3u) << "6, 7, 8 mm";
  EXPECT_GE(log_ticks(6.1, 6.9, 5, "").labels.size(), 2u) << "no whole digit inside";
}

TEST(SvgPlot, ALayerThatChangesSignBeginsANewOutlineInsteadOfCrossingTheOthers) {
  Figure figure;
  figure.panels.emplace_back();
  figure.panels[0].is_stacked = true;
  figure.panels[0].series = {{"big", {0, 1, 2, 3}, {5, 5, 5, 5}}, {"small", {0, 1, 2, 3}, {0.1, 0.1, -0.1, -0.1}}};
  const std::string svg = to_svg(figure);
  const std::size_t small = svg.find("<title>small"), path = svg.rfind("<path", small);
  ASSERT_NE(small, std::string::npos);
  const std::string outline = svg.substr(path, small - path);
  EXPECT_EQ(std::count(outline.begin(), outline.end(), 'Z'), 2);
}

TEST(Ticks, NumbersAreWrittenForPeople) {
  EXPECT_EQ(plain_number(0.05), "0.05");
  EXPECT_EQ(plain_number(-1234.5678, 6), "\u22121234.57");
  EXPECT_EQ(plain_number(1.2e-5, 2), "1.2\u00d710\u207b\u2075");
  EXPECT_EQ(plain_number(std::nan("")), "\u2014");
  EXPECT_EQ(plain_number(0), "0");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(std::nan("")), "0");
}

}  // namespace
}  // namespace dashpot::render::test_svg_plot
