// `dashpot reproduce`: which variants there are, and what a result says of each claim.
#include <set>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_reproduce {
namespace {

TEST(Reproduce, ThePapersSizeIsRefusedWhereThePaperPrintsNone) {
  const ScratchFolder folder;
  int with = 0;
  const nlohmann::json listed = run_dashpot({"reproduce", "--json"}).json().at("reproductions");
  for (const nlohmann::json& entry : listed) {
    const std::string name = entry.at("name"), full = entry.at("full");
    with += full.empty() ? 0 : 1;
    if (!full.empty()) continue;
    const ProgramResult refused = run_dashpot({"reproduce", name, "--full", "--out", folder.path("none")});
    EXPECT_EQ(refused.exit_code, 2) << name;
    EXPECT_NE(refused.err.find("no variant of the paper's size"), std::string::npos) << name;
  }
  EXPECT_GT(with, 8);
}

TEST(Reproduce, AQuickRunSaysWhichClaimsItDoesNotJudge) {
  const ScratchFolder folder;
  const ProgramResult run = run_dashpot({"reproduce", "A-cost", "--quick", "--json", "--out", folder.path("cost")});
  EXPECT_EQ(run.exit_code, 0);
  std::set<std::string> open;
  const nlohmann::json claims = run.json().at("claims");
  for (const nlohmann::json& claim : claims) {
    const std::string verdict = claim.at("verdict");
    EXPECT_EQ(claim.at("holds").get<bool>(), verdict == "holds");
    if (verdict == "not_judged") open.insert(claim.at("id").get<std::string>());
    EXPECT_TRUE(verdict == "holds" || !claim.at("reason").get<std::string>().empty());
  }
  EXPECT_TRUE(open.count("k10_over_k0") == 1 && open.count("k0_ms") == 1);
  EXPECT_NE(run.err.find("k0_ms: not judged: "), std::string::npos) << run.err;
}

}  // namespace
}  // namespace dashpot::testing::test_reproduce
