// What every command promises: exit codes, data and messages apart, JSON, suggestions, help.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_command_line {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Names of all commands, as the overview lists them.
std::vector<std::string> command_names() {
  std::istringstream lines(run_dashpot({}).out);
  std::vector<std::string> names;
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Commands:")
      in_list = true;
    else if (line.empty())
      in_list = false;
    else if (in_list)
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

TEST(CommandLine, WithoutArgumentsGreetsAndPointsToTheDemo) {
  const ProgramResult result = run_dashpot({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "dashpot demo"));
  EXPECT_TRUE(result.err.empty());
}

TEST(CommandLine, VersionNamesProgramAndCommit) {
  const ProgramResult result = run_dashpot({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "dashpot 0."));
}

TEST(CommandLine, AnUnknownCommandIsAUsageErrorWithTheNearestName) {
  const ProgramResult result = run_dashpot({"dampign"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.out.empty());
  EXPECT_TRUE(contains(result.err, "'dampign'"));
  EXPECT_TRUE(contains(result.err, "Did you mean 'dashpot damping'?"));
}

TEST(CommandLine, AnUnknownOptionIsAUsageErrorWithTheNearestName) {
  const ProgramResult result = run_dashpot({"damping", "--zetta", "0.02"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.out.empty());
  EXPECT_TRUE(contains(result.err, "Did you mean '--zeta'?"));
}

TEST(CommandLine, ErrorsAreJsonTooWhenJsonIsAskedFor) {
  const ProgramResult result = run_dashpot({"damping", "--json", "--zetta", "0.02"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.json().at("schema"), "dashpot/error/1");
  EXPECT_EQ(result.json().at("exit_code"), 2);
  ASSERT_EQ(result.json().at("problems").size(), 1U);
  EXPECT_TRUE(contains(result.json().at("problems")[0].at("found"), "--zetta"));
}

TEST(CommandLine, EveryCommandExplainsItselfAndStandsInTheManual) {
  const std::vector<std::string> names = command_names();
  ASSERT_GE(names.size(), 4U);
  const std::string manual = run_dashpot({"man"}).out;
  for (const std::string& name : names) {
    const ProgramResult help = run_dashpot({name, "--help"});
    EXPECT_EQ(help.exit_code, 0) << name;
    EXPECT_TRUE(contains(help.out, "--json")) << name;
    EXPECT_TRUE(contains(manual, "dashpot " + name)) << name;
  }
}

TEST(CommandLine, CompletionScriptsOfferEveryCommandAndBashCanReadThem) {
  const std::vector<std::string> names = command_names();
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const ProgramResult script = run_dashpot({"completion", shell});
    EXPECT_EQ(script.exit_code, 0);
    for (const std::string& name : names) EXPECT_TRUE(contains(script.out, name)) << shell << " " << name;
  }
  const ScratchFolder folder;
  const std::string script = folder.write("dashpot.bash", run_dashpot({"completion", "bash"}).out +
                                                              "COMP_WORDS=(dashpot damping --zet); COMP_CWORD=2\n"
                                                              "_dashpot && [ \"${COMPREPLY[*]}\" = --zeta ]\n");
  EXPECT_EQ(std::system(("bash " + script).c_str()), 0);
}

TEST(CommandLine, TheReadmeListsEveryReproductionAndNoOther) {
  std::ifstream file(std::string(DASHPOT_SOURCE_DIR) + "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const nlohmann::json listed = run_dashpot({"reproduce", "--json"}).json().at("reproductions");
  ASSERT_GT(listed.size(), 5U);
  for (const nlohmann::json& entry : listed)
    EXPECT_TRUE(contains(readme, "| `dashpot reproduce " + entry.at("name").get<std::string>() + "` |"))
        << "a row of the table in README.md, section Reproductions, is missing: " << entry.at("name");
  std::size_t rows = 0;
  const std::string start = "| `dashpot reproduce ";
  for (std::size_t at = readme.find(start); at != std::string::npos; at = readme.find(start, at + 1)) ++rows;
  EXPECT_EQ(rows, listed.size()) << "README.md names a reproduction that does not exist, or one twice";
}

TEST(CommandLine, ThreadsOutOfRangeAreRefused) {
  EXPECT_EQ(run_dashpot({"damping", "--threads", "0", "--zeta", "0.1"}).exit_code, 2);
  EXPECT_EQ(run_dashpot({"damping", "--threads", "1", "--zeta", "0.1"}).exit_code, 0);
}

TEST(CommandLine, ColorsAppearOnATerminalOnlyAndNeverWithNOCOLOR) {
  const std::vector<std::string> wrong{"dampign"};
  EXPECT_TRUE(contains(Program(wrong, true, {"TERM=xterm"}).wait().err, "\x1b[31m"));
  EXPECT_FALSE(contains(Program(wrong, true, {"TERM=xterm", "NO_COLOR=1"}).wait().err, "\x1b["));
  EXPECT_FALSE(contains(run_dashpot(wrong).err, "\x1b["));
}

}  // namespace
}  // namespace dashpot::testing::test_command_line
