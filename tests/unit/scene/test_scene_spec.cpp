#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/read_scene.hpp"
#include "unit/scene/scene_text.hpp"

namespace dashpot::test_scene_spec {
namespace {

std::string all_problems(const std::string& text) {
  std::string result;
  for (const Problem& problem : check_scene(text, "s.json", "").problems)
    result += (problem.severity == Problem::Severity::warning ? "warning: " : "") + problem.text() + "\n";
  return result;
}

#define EXPECT_SAYS(text, words) \
  EXPECT_NE((text).find(words), std::string::npos) << "expected: " << (words) << "\nfound:\n" << (text)

TEST(SceneSpec, TheReferenceSceneIsReadInSIWithItsDefaults) {
  ASSERT_EQ(all_problems(ringing_beam()), "");
  const SceneSpec spec = parse_scene(ringing_beam());
  EXPECT_EQ(spec.time.dt, 0.005);
  EXPECT_EQ(spec.time.end, 2);
  EXPECT_EQ(spec.time.stepper.name(), "bathe");
  EXPECT_EQ(spec.gravity.y(), -9.81);
  ASSERT_EQ(spec.bodies.size(), 1U);
  EXPECT_EQ(spec.bodies[0].name, "beam");
  EXPECT_EQ(spec.bodies[0].material->name(), "stvk");
  EXPECT_EQ(spec.bodies[0].material->settings.number("young"), 1e6);
  EXPECT_EQ(spec.bodies[0].damping[0].settings.sections("zeta")[1].number("f"), 20);
  EXPECT_EQ(spec.record.probes[0].where.name(), "nearest");
  EXPECT_EQ(spec.newton.max_iterations, 20);
  EXPECT_EQ(spec.time.max_halvings, 6) << "a default";
}

TEST(SceneSpec, EveryWayToWriteAModelMeansTheSame) {
  const std::string text = with(ringing_beam(), "\"bathe\"", "{\"newmark\": {\"beta\": 0.3025, \"gamma\": 0.6}}");
  const SceneSpec spec = parse_scene(text);
  EXPECT_EQ(spec.time.stepper.name(), "newmark");
  EXPECT_EQ(spec.time.stepper.value("gamma"), 0.6);
  EXPECT_EQ(parse_scene(with(ringing_beam(), "\"bathe\"", "{\"trapezoid\": {}}")).time.stepper.name(), "trapezoid");
  EXPECT_EQ(parse_scene(with(ringing_beam(), "{\"from\": \"rest\"}", "\"rest\"")).bodies[0].start.name(), "rest");
}

TEST(SceneSpec, UnknownKeysAreRefusedWithTheNearestNameAndTheirPlace) {
  const std::string said = all_problems(with(ringing_beam(), "\"young\"", "\"yonug\""));
  EXPECT_SAYS(said, "s.json:10:35: /bodies/0/material/yonug: unknown key \"yonug\"");
  EXPECT_SAYS(said, "Did you mean \"young\"?");
  EXPECT_SAYS(said, "no \"young\"");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"poisson\"", "\"nu\"")), "Did you mean \"poisson\"?");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"stvk\"", "\"stvck\"")), "unknown material \"stvck\"");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"stvk\"", "\"stvck\"")), "Did you mean \"stvk\"?");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"bathe\"", "\"bath\"")),
              "s.json:5:51: /time/stepper: unknown stepper \"bath\"");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"bar\"", "\"barr\"")),
              "s.json:9:14: /bodies/0/mesh/barr: unknown mesh \"barr\"");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"projected_tangent\"", "\"projected_tangnt\"")),
              "Did you mean \"projected_tangent\"?");
}

TEST(SceneSpec, AWrongUnitNamesTheQuantityExpected) {
  const std::string said = all_problems(with(ringing_beam(), "\"5 ms\"", "\"3 kg\""));
  EXPECT_SAYS(said, "s.json:5:18: /time/dt: found '3 kg'. Expected a time such as '5 ms'.");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"1 MPa\"", "\"1 furlong\"")), "unit not understood");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"1 MPa\"", "true")),
              "Expected a pressure or modulus such as '12 kPa'");
}

TEST(SceneSpec, OutOfRangeIsAnErrorWithValueRangeAndRemedyNeverAClamp) {
  const std::string said = all_problems(with(ringing_beam(), "\"poisson\": 0.4", "\"poisson\": 0.7"));
  EXPECT_SAYS(said, "/bodies/0/material/poisson: poisson = 0.7. Expected -1 < poisson < 0.5. Use 0.49 for rubber.");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"5 ms\"", "0")), "Expected dt > 0 s");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "[8, 1, 1]", "[8, 0, 1]")), "/bodies/0/mesh/bar/cells/1");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "[8, 1, 1]", "[8, 1.5, 1]")), "Expected a whole number");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "[8, 1, 1]", "[8, 1]")), "a list of 2. Expected 3 values");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"dashpot\": 1", "\"dashpot\": 2")), "s.json:2:14: /dashpot");
}

TEST(SceneSpec, SuspiciousValuesAreWarnedOfButRun) {
  const std::string text = with(ringing_beam(), "\"density\": 1000", "\"density\": 1.0");
  EXPECT_SAYS(all_problems(text), "warning: s.json:10:80: /bodies/0/material/density");
  EXPECT_SAYS(all_problems(text), "did you mean 1000?");
  const SceneSpec spec = parse_scene(text);
  EXPECT_EQ(spec.warnings.size(), 1U);
}

TEST(SceneSpec, AnImplicitStepperThatIsStableForSmallStepsOnlyIsWarnedOfWithItsLimit) {
  // Newmark with beta < gamma / 2: (omega dt)^2 (gamma / 2 - beta) < 1.
  const std::string text = with(ringing_beam(), "\"bathe\"", "{\"newmark\": {\"beta\": 0.2, \"gamma\": 0.5}}");
  EXPECT_SAYS(all_problems(text), "stable only while omega dt < 4.47");
  EXPECT_SAYS(all_problems(text), "beta >= gamma / 2 is always stable");
  EXPECT_EQ(parse_scene(with(ringing_beam(), "\"bathe\"", "\"rho_inf_bathe\"")).warnings.size(), 0U);
}

TEST(SceneSpec, AWarningDoesNotHideTheErrorsBesideIt) {
  const std::string text =
      with(ringing_beam(), "{\"f\": \"2 Hz\", \"zeta\": 0.02}", "{\"f\": \"2 Hz\", \"mode\": 1, \"zeta\": 0.9}");
  EXPECT_SAYS(all_problems(text), "Nearly critical");
  EXPECT_SAYS(all_problems(text), "both f and mode");
}

TEST(SceneSpec, ASlipInTheNumberOfCellsIsAMessageNotAnExhaustedMachine) {
  EXPECT_SAYS(all_problems(with(ringing_beam(), "[8, 1, 1]", "[8000, 1000, 1000]")), "about 48000000000 elements");
}

TEST(SceneSpec, AllProblemsOfAFileAreReportedAtOnce) {
  std::string text = with(ringing_beam(), "\"5 ms\"", "\"3 kg\"");
  text = with(text, "\"poisson\": 0.4", "\"poisson\": 0.7");
  text = with(text, "\"pins\"", "\"pinns\"");
  text = with(text, "{\"bar\": {\"size\": [1, 0.1, 0.1], \"cells\": [8, 1, 1]}}", "{\"points\": {\"positions\": []}}");
  text = with(text, "\"rest\"", "\"equlibrium\"");
  text = with(text, "\"nearest\": [1, 0, 0]", "\"nearest\": [1, 0]");
  const CheckedScene checked = check_scene(text, "s.json", "");
  EXPECT_FALSE(checked.spec.has_value());
  EXPECT_GE(checked.problems.size(), 6U) << all_problems(text);
  EXPECT_THROW(parse_scene(text), Error);
}

TEST(SceneSpec, ASelectionThatMatchesNothingSaysWhereTheMeshIs) {
  const std::string said = all_problems(with(ringing_beam(), "[[-1, -1, -1], [1e-6, 1, 1]]", "[[5, 5, 5], [6, 6, 6]]"));
  EXPECT_SAYS(said, "s.json:12:24: /bodies/0/pins/0/where/box: \"box\" selects no node");
  EXPECT_SAYS(said, "The mesh spans (0, 0, 0) to (1, 0.1, 0.1) m");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "{\"nearest\": [1, 0, 0]}", "{\"vertices\": [99]}")), "0 to 35");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "{\"nearest\": [1, 0, 0]}", "{\"region\": \"ear\"}")),
              "/record/probes/0/where/region/name");
}

TEST(SceneSpec, NamesMustExistAndBeUnique) {
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"body\": \"beam\"", "\"body\": \"baem\"")), "Did you mean \"beam\"?");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"tip\"", "\"tip.x\"")), "letters, digits");
}

TEST(SceneSpec, ModelsThatDoNotFitEachOtherAreRefused) {
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"bathe\"", "\"leapfrog\"")), "Expected \"mass\": \"lumped\"");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"zeta\": [{\"f\": \"2 Hz\"",
                                "\"beta\": \"1 ms\", \"zeta\": [{\"f\": \"2 Hz\"")),
              "zeta together with alpha or beta");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "{\"f\": \"2 Hz\", \"zeta\"", "{\"zeta\"")), "neither f nor mode");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "\"end\": \"2 s\"", "\"end\": \"2 ms\"")), "longer than the run");
  EXPECT_SAYS(all_problems(with(ringing_beam(), "{\"bar\": {\"size\": [1, 0.1, 0.1], \"cells\": [8, 1, 1]}}",
                                "{\"cloth\": {\"size\": [1, 1], \"cells\": [2, 2]}}")),
              "a material for tets on a mesh without tets");
}

TEST(SceneSpec, TheFilledInSceneReadsBackAsTheSameScene) {
  const SceneSpec spec = parse_scene(ringing_beam());
  const std::string once = filled_in(spec);
  EXPECT_SAYS(once, "\"5 ms\"");
  EXPECT_SAYS(once, "\"1 MPa\"");
  EXPECT_SAYS(once, "\"max_halvings\": 6");
  const SceneSpec again = parse_scene(once);
  EXPECT_EQ(filled_in(again), once);
  EXPECT_EQ(write_json(again.document->value), write_json(spec.document->value)) << "same numbers, bit for bit";
}

TEST(SceneSpec, OverridesChangeSingleValuesBeforeChecking) {
  const SceneSpec spec =
      parse_scene(ringing_beam(), "s", "",
                  {{"/time/dt", "1 ms"}, {"/bodies/0/material/model", "linear"}, {"/bodies/0/damping", "[]"}});
  EXPECT_EQ(spec.time.dt, 0.001);
  EXPECT_EQ(spec.bodies[0].material->name(), "linear");
  EXPECT_TRUE(spec.bodies[0].damping.empty());
  EXPECT_THROW(parse_scene(ringing_beam(), "s", "", {{"/bodies/7/name", "x"}}), Error);
}

TEST(SceneSpec, MissingAndBrokenMeshFilesAreReportedAlongWithEverythingElse) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("dashpot_scene_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  write_file_atomically((folder / "broken.msh").string(),
                        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1000000 1 1000000\n");
  const std::string bar = "{\"bar\": {\"size\": [1, 0.1, 0.1], \"cells\": [8, 1, 1]}}";
  const auto problems_with = [&](const std::string& mesh) {
    std::string said;
    const std::string text = with(with(ringing_beam(), bar, mesh), "\"poisson\": 0.4", "\"poisson\": 0.7");
    for (const Problem& problem : check_scene(text, "s.json", folder.string()).problems) said += problem.text() + "\n";
    return said;
  };
  const std::string missing = problems_with("{\"file\": \"none.msh\"}");
  EXPECT_SAYS(missing, "s.json:9:22: /bodies/0/mesh/file/path: no file \"none.msh\"");
  EXPECT_SAYS(missing, "poisson = 0.7");
  const std::string broken = problems_with("{\"file\": \"broken.msh\", \"scale\": 0.001}");
  EXPECT_SAYS(broken, "broken.msh");
  EXPECT_SAYS(broken, "poisson = 0.7");
  std::filesystem::remove_all(folder);
}

TEST(SceneSpec, AMissingFileIsAnErrorNotACrash) { EXPECT_THROW(load_scene("no/such/scene.json"), Error); }

TEST(SceneSpec, NoTruncationAndNoFlippedByteCrashes) {
  const std::string text = ringing_beam();
  for (std::size_t n = 0; n < text.size(); n += 3) check_scene(text.substr(0, n), "s", "");
  for (std::size_t n = 0; n < text.size(); n += 2) {
    std::string broken = text;
    broken[n] = static_cast<char>("{}[]\":,0-"[n % 9]);
    check_scene(broken, "s", "");
  }
}

}  // namespace
}  // namespace dashpot::test_scene_spec
