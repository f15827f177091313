#include "dashpot/render/html_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "dashpot/core/error.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/render/standard_figures.hpp"
#include "unit/render/count_words.hpp"

namespace dashpot::render::test_html_report {
namespace {

bool contains(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

EnergyColumns ringing_energies() {
  EnergyColumns e;
  Column kinetic{"kinetic", {}}, elastic{"elastic", {}}, gravity{"gravity", {}}, damping{"Rayleigh", {}},
      numerical{"numerical", {}};
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.01 * i, left = std::exp(-t), c = std::cos(20 * t);
    e.time.push_back(t);
    kinetic.values.push_back(left * (1 - c * c));
    elastic.values.push_back(left * c * c);
    gravity.values.push_back(-0.5);
    damping.values.push_back(0.75 * (1 - left));
    numerical.values.push_back(0.25 * (1 - left));
  }
  e.stored = {kinetic, elastic, gravity};
  e.lost = {damping, numerical};
  return e;
}

Report sample_report() {
  Report report;
  report.title = "A beam that rings";
  report.summary = "It rang & stopped.";
  report.key_figures = {{"frequency", "2.02", "Hz", "asked: 2"}};
  report.warnings = {"The step is long."};
  Section energies{"Energies", {energy_figure(ringing_energies()), energy_table(ringing_energies())}};
  Section details{"Scene", {Verbatim{"{\"a\": \"<b>\"}"}, Picture{"a dot", "image/png", "Man"}}, true};
  report.sections = {energies, details};
  report.provenance = {{"Command", "dashpot run beam.json"}};
  return report;
}

TEST(HtmlReport, IsOneFileThatNeedsNothingFromOutside) {
  const std::string html = to_html(sample_report());
  EXPECT_EQ(html.find("<!DOCTYPE html>"), 0u);
  EXPECT_EQ(count(html, "<script"), 0);
  EXPECT_EQ(count(html, "<link"), 0);
  EXPECT_EQ(count(html, "@import"), 0);
  EXPECT_EQ(count(html, "url(http"), 0);
  EXPECT_EQ(count(html, "src=\"http"), 0);
  EXPECT_TRUE(contains(html, "default-src 'none'"));
  EXPECT_TRUE(contains(html, "prefers-color-scheme:dark"));
  EXPECT_TRUE(contains(html, "@media print"));
}

TEST(HtmlReport, ShowsSummaryFiguresWarningsDetailsAndProvenance) {
  const std::string html = to_html(sample_report());
  EXPECT_TRUE(contains(html, "It rang &amp; stopped."));
  EXPECT_TRUE(contains(html, "<span class=\"value\">2.02<span class=\"unit\">Hz</span>"));
  EXPECT_TRUE(contains(html, "<li>The step is long.</li>"));
  EXPECT_TRUE(contains(html, "<details><summary>Scene</summary>"));
  EXPECT_TRUE(contains(html, "dashpot run beam.json"));
  EXPECT_TRUE(contains(html, "commit " + commit()));
  EXPECT_TRUE(contains(html, "data:image/png;base64,TWFu"));
  EXPECT_TRUE(contains(html, "&lt;b&gt;"));
}

TEST(HtmlReport, EveryFigureOfAPageHasItsOwnIds) {
  Report report = sample_report();
  report.sections[0].blocks.push_back(energy_figure(ringing_energies()));
  const std::string html = to_html(report);
  EXPECT_EQ(count(html, "id=\"figure1-title\""), 1);
  EXPECT_EQ(count(html, "id=\"figure2-title\""), 1);
}

TEST(HtmlReport, PicturesAreEncodedWithPadding) {
  for (const auto& [bytes, text] : {std::pair{"Ma", "TWE="}, std::pair{"M", "TQ=="}, std::pair{"", "base64,\""}}) {
    Report report;
    report.title = "p";
    report.sections = {{"s", {Picture{"d", "image/png", bytes}}}};
    EXPECT_TRUE(contains(to_html(report), text)) << bytes;
  }
}

TEST(HtmlReport, NumbersStandFlushRightAndWordsFlushLeft) {
  Report report;
  report.title = "t";
  Table table;
  table.columns = {"name", "value"};
  table.rows = {{"a", "1.5"}, {"b", "\u22122"}, {"c", "\u2014"}};
  report.sections = {{"s", {table}}};
  const std::string html = to_html(report);
  EXPECT_TRUE(contains(html, "<td>a</td><td class=\"number\">1.5</td>"));
  table.rows.push_back({"too short"});
  report.sections = {{"s", {table}}};
  EXPECT_THROW(to_html(report), Error);
}

TEST(StandardFigures, StoredAndLostEnergiesAddUpToWhatWasThereAtTheStart) {
  const Figure figure = energy_figure(ringing_energies());
  ASSERT_EQ(figure.panels.size(), 1u);
  const Panel& panel = figure.panels[0];
  EXPECT_TRUE(panel.is_stacked);
  // Gravity does not change: counted from its lowest value it is nothing, and is left out.
  ASSERT_EQ(panel.series.size(), 4u);
  for (std::size_t i = 0; i < panel.series[0].x.size(); ++i) {
    double sum = 0;
    for (const Series& s : panel.series) sum += s.y[i];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  ASSERT_EQ(panel.guides.size(), 1u);
  EXPECT_NEAR(panel.guides[0].value, 1, 1e-12);
}

TEST(StandardFigures, TheDampingTableNamesTheIntegratorsOwnShare) {
  const Table table = acting_damping_table({{"Rayleigh", "beta 1 ms", 0.03, 0.75}, {"Bathe", "", 0.01, 0.25, true}}, 2);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1][0], "Bathe (the integrator\u2019s own)");
  EXPECT_EQ(table.rows[1][4], "25 %");
  EXPECT_EQ(table.columns[2], "damping ratio at 2 Hz");
}

TEST(StandardFigures, DecaysStandOnALogarithmicAxisAndCurvesCarryErrorBars) {
  const Figure decay = decay_figure({{"a", {0, 1}, {1, 0.1}}}, "height", "m");
  EXPECT_TRUE(decay.panels[0].y.is_logarithmic);
  const Figure curve = damping_curve_figure({{"a", {1, 2}, {0.1, 0.2}, {0.01, 0.01}}}, "m", 0.15);
  EXPECT_EQ(curve.panels[0].series[0].y_error.size(), 2u);
  EXPECT_EQ(curve.panels[0].guides.size(), 1u);
  const Figure momentum = momentum_figure({0, 1}, {{"x", {1, 1}}}, {{"x", {2, 2}}});
  EXPECT_EQ(momentum.panels.size(), 2u);
}

}  // namespace
}  // namespace dashpot::render::test_html_report
