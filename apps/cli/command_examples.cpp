// `dashpot examples SCENE`: the example deformations of a scene's dampings: what they look like, how they swing, how
// they are damped, and whether they are different enough to be damped apart.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/analysis/shape_ratio.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/design/mode_shares.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/render/png.hpp"
#include "exit_codes.hpp"
#include "pose_sheet.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct ExamplesOptions {
  std::string scene, picture;
  std::vector<std::string> settings;
};

constexpr double alarming_condition = 10;  // reference ABCE, 1.1: from here on the paper's couplings become large

/// One example and what the body does along it.
struct ExampleRow {
  std::string body, name;
  double largest = 0;    ///< displacement [m]
  double frequency = 0;  ///< of its Rayleigh quotient [Hz]; NaN where it is not elastic
  double base_zeta = 0;  ///< under the damping it changes
  double gain_small = 1, gain_one = 1;
};

struct BodyExamples {
  const ExampleBased* term = nullptr;
  ExampleDiagnosis diagnosis;
  std::vector<ExampleRow> rows;
  design::ModeShares modes;
};

ExampleRow describe(const System& system, const ExampleBased& term, std::size_t i) {
  const ExampleGain& example = term.examples()[i];
  const Vector shape = term.shape(i);
  ExampleRow row{term.body(), example.name};
  std::vector<Vec3> rest, posed;
  system.kinematics().positions(system.rest(), rest);
  system.kinematics().positions(system.rest() + shape, posed);
  for (std::size_t k = 0; k < rest.size(); ++k) row.largest = std::max(row.largest, (posed[k] - rest[k]).norm());
  const analysis::ShapeRatio ratio = analysis::shape_ratio(system, term.base(), shape);
  row.frequency = ratio.frequency;
  row.base_zeta = ratio.zeta;
  row.gain_small = example.gain.value(0);
  row.gain_one = example.gain.value(1);
  return row;
}

std::vector<BodyExamples> find_examples(const System& system) {
  std::vector<BodyExamples> found;
  for (const auto& term : system.dissipations())
    if (const ExampleBased* examples = term->capabilities().examples) {
      BodyExamples body{
          examples, examples->diagnose(system.initial_state()), {}, design::mode_shares(system, *examples)};
      for (std::size_t i = 0; i < examples->examples().size(); ++i) body.rows.push_back(describe(system, *examples, i));
      found.push_back(std::move(body));
    }
  return found;
}

std::string gain_text(const ExampleBased& term, const ExampleRow& row) {
  if (term.options().input == GainInput::constant) return fmt::format("{:.4g}", row.gain_small);
  return fmt::format("{:.4g} .. {:.4g} at one{}", row.gain_small, row.gain_one,
                     term.options().input == GainInput::velocity ? " 1/s" : "");
}

std::string rows_text(const BodyExamples& body) {
  TextTable table(
      {"example", "largest displacement", "frequency [Hz]", "ζ of the base", "gain", "ζ along it (small)", ""});
  for (std::size_t i = 0; i < body.rows.size(); ++i) {
    const ExampleRow& row = body.rows[i];
    const bool dropped = std::find(body.diagnosis.dropped.begin(), body.diagnosis.dropped.end(), static_cast<int>(i)) !=
                         body.diagnosis.dropped.end();
    table.add({row.name, describe_quantity(row.largest, Quantity::length), fmt::format("{:.4g}", row.frequency),
               fmt::format("{:.4g}", row.base_zeta), gain_text(*body.term, row),
               fmt::format("{:.4g}", row.gain_small * row.base_zeta), dropped ? "no effect" : ""});
  }
  return table.text();
}

std::string angles_text(const BodyExamples& body) {
  std::vector<std::string> header{"angle [°]"};
  for (const ExampleRow& row : body.rows) header.push_back(row.name);
  TextTable table(header);
  for (std::size_t i = 0; i < body.rows.size(); ++i) {
    std::vector<std::string> cells{body.rows[i].name};
    for (std::size_t j = 0; j < body.rows.size(); ++j)
      cells.push_back(i == j ? "-"
                             : fmt::format("{:.1f}", body.diagnosis.angles(static_cast<Eigen::Index>(i),
                                                                           static_cast<Eigen::Index>(j))));
    table.add(std::move(cells));
  }
  return table.text();
}

/// Share of the damping of each slow mode that an example's gain changes.
std::string modes_text(const BodyExamples& body) {
  if (body.modes.frequencies.empty()) return "";
  std::vector<std::string> header{"share of the mode at [Hz]"};
  for (const double frequency : body.modes.frequencies) header.push_back(fmt::format("{:.4g}", frequency));
  TextTable table(header);
  for (std::size_t i = 0; i < body.rows.size(); ++i) {
    std::vector<std::string> cells{body.rows[i].name};
    for (Eigen::Index k = 0; k < body.modes.shares.cols(); ++k) {
      const double share = body.modes.shares(static_cast<Eigen::Index>(i), k);
      cells.push_back(share < 1e-6 ? std::string("0 %") : fmt::format("{:.3g} %", 100 * share));
    }
    table.add(std::move(cells));
  }
  return "\n" + table.text();
}

ordered_json modes_json(const design::ModeShares& modes) {
  ordered_json shares = ordered_json::array();
  for (Eigen::Index i = 0; i < modes.shares.rows(); ++i) {
    std::vector<double> row;
    for (Eigen::Index k = 0; k < modes.shares.cols(); ++k) row.push_back(modes.shares(i, k));
    shares.push_back(row);
  }
  return {{"frequencies", modes.frequencies}, {"shares", shares}};
}

ordered_json examples_json(const std::vector<BodyExamples>& bodies) {
  ordered_json list = ordered_json::array();
  for (const BodyExamples& body : bodies) {
    ordered_json rows = ordered_json::array(), angles = ordered_json::array();
    for (const ExampleRow& row : body.rows)
      rows.push_back({{"name", row.name},
                      {"largest_displacement", row.largest},
                      {"frequency", row.frequency},
                      {"base_zeta", row.base_zeta},
                      {"gain_at_0", row.gain_small},
                      {"gain_at_1", row.gain_one}});
    for (Eigen::Index i = 0; i < body.diagnosis.angles.rows(); ++i) {
      std::vector<double> line;
      for (Eigen::Index j = 0; j < body.diagnosis.angles.cols(); ++j) line.push_back(body.diagnosis.angles(i, j));
      angles.push_back(line);
    }
    list.push_back({{"body", body.term->body()},
                    {"coupling", to_string(body.term->options().coupling)},
                    {"depends_on", to_string(body.term->options().input)},
                    {"examples", rows},
                    {"angles", angles},
                    {"modes", modes_json(body.modes)},
                    {"condition", body.diagnosis.condition},
                    {"without_effect", body.diagnosis.dropped}});
  }
  return list;
}

/// Rest and every example, one picture each.
render::Image picture(const CompiledScene& scene, const std::vector<BodyExamples>& bodies) {
  std::vector<NamedPose> poses{{"rest", Vector::Zero(scene.system->num_dofs())}};
  for (const BodyExamples& body : bodies)
    for (std::size_t i = 0; i < body.term->examples().size(); ++i)
      poses.emplace_back(body.term->examples()[i].name, body.term->shape(i));
  return pose_sheet(scene, poses, 4);
}

int examples(const ExamplesOptions& options, const Console& console) {
  const CompiledScene scene = compile(load_scene_file(options.scene, read_overrides(options.settings), console));
  const std::vector<BodyExamples> bodies = find_examples(*scene.system);
  if (bodies.empty())
    throw Error(Problem{options.scene, "no example_based damping", "a body with one",
                        R"(give a body "damping": [{"model": "example_based", "over": ..., "examples": [...]}])"});
  for (const BodyExamples& body : bodies) {
    console.print(fmt::format("{}, {} coupling, condition {:.3g}\n{}\n{}{}", console.bold(body.term->body()),
                              to_string(body.term->options().coupling), body.diagnosis.condition, rows_text(body),
                              angles_text(body), modes_text(body)));
    for (const std::string& warning : design::idle_example_warnings(body.modes, *body.term)) console.warning(warning);
    for (const int i : body.diagnosis.dropped)
      console.warning(
          fmt::format("{}: \"{}\" has no effect: the damping does not see it (a rigid motion), or it is made "
                      "of the examples before it",
                      body.term->body(), body.rows[static_cast<std::size_t>(i)].name));
    if (body.diagnosis.condition > alarming_condition)
      console.warning(
          fmt::format("{}: some examples are nearly alike (condition {:.3g}); they cannot be damped apart, "
                      "and share what was asked for",
                      body.term->body(), body.diagnosis.condition));
  }
  if (!options.picture.empty()) {
    write_file_atomically(options.picture, render::to_png(picture(scene, bodies)));
    console.message(fmt::format("picture: {}", options.picture));
  }
  console.print_json({{"input", input_stamp(options.scene)}, {"bodies", examples_json(bodies)}});
  return exit_ok;
}

}  // namespace

void setup_examples(CLI::App& app, Session& session) {
  auto o = std::make_shared<ExamplesOptions>();
  app.add_option("scene", o->scene, "Scene (.json) with an example_based damping")->required()->type_name("SCENE");
  app.add_option("--picture", o->picture, "Draw rest and all examples into this PNG file")->type_name("FILE");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot examples scenes/designed_bar.json --picture examples.png");
  app.callback([o, &session] { session.action = [o, &session] { return examples(*o, session.console); }; });
}

}  // namespace dashpot::cli
