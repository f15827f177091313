// What pages send: read, and refused with all that is wrong.
#include <gtest/gtest.h>

#include "studio_commands.hpp"

namespace dashpot::test_studio_commands {

using namespace dashpot::studio;

template <class T>
const T& as(const ParsedCommand& parsed) {
  EXPECT_TRUE(parsed.command.has_value()) << (parsed.problems.empty() ? "" : parsed.problems.front().text());
  return std::get<T>(*parsed.command);
}

TEST(StudioCommands, NumbersVectorsAndListsArriveAsTheyWereSent) {
  const ParsedCommand pick =
      parse_command(R"({"id": 7, "do": "pick", "view": 1, "origin": [1, 2, 3], "direction": [0, 0, -1]})");
  EXPECT_EQ(pick.id, 7);
  EXPECT_EQ(as<command::Pick>(pick).view, 1);
  EXPECT_EQ(as<command::Pick>(pick).origin, Vec3(1, 2, 3));
  const ParsedCommand grab = parse_command(R"({"id": 8, "do": "grab", "node": 12, "radius": 0, "stiffness": 0})");
  EXPECT_FALSE(as<command::Grab>(grab).poses);
  const ParsedCommand pose =
      parse_command(R"({"id": 8, "do": "grab", "node": 12, "radius": 0, "stiffness": 0, "pose": true})");
  EXPECT_TRUE(as<command::Grab>(pose).poses);
  EXPECT_FALSE(parse_command(R"({"id": 8, "do": "grab", "node": 12, "radius": 0, "stiffness": 0, "pose": 1})").command);
  const ParsedCommand set = parse_command(R"({"id": 8, "do": "set", "values": {"/a/beta": 0.5, "/a/at": [1, 2]}})");
  EXPECT_EQ(as<command::Set>(set).values.at("/a/beta"), std::vector<double>{0.5});
  EXPECT_EQ(as<command::Set>(set).values.at("/a/at"), (std::vector<double>{1, 2}));
  const ParsedCommand views =
      parse_command(R"({"id": 9, "do": "views", "views": [{"kind": "reference"}, {"kind": "mode", "index": 3}]})");
  ASSERT_EQ(as<command::Views>(views).views.size(), 2U);
  EXPECT_EQ(as<command::Views>(views).views[1].kind, View::Kind::mode);
  EXPECT_EQ(as<command::Views>(views).views[1].index, 3);
}

TEST(StudioCommands, AnEditCarriesJsonAsItIs) {
  const ParsedCommand parsed = parse_command(
      R"({"id": 1, "do": "edit", "changes": [{"at": "/time/dt", "value": "5 ms"}, {"at": "/bodies/0", "remove": true}]})");
  const command::Edit& edit = as<command::Edit>(parsed);
  ASSERT_EQ(edit.changes.size(), 2U);
  ASSERT_TRUE(edit.changes[0].value.has_value());
  EXPECT_EQ(edit.changes[0].value->text, "5 ms");
  EXPECT_FALSE(edit.changes[1].value.has_value());
}

TEST(StudioCommands, EverythingThatIsWrongIsToldAtOnceAndTheIdIsKept) {
  const ParsedCommand parsed =
      parse_command(R"({"id": 4, "do": "pick", "view": 9, "origin": [1, 2], "direction": "up"})");
  EXPECT_EQ(parsed.id, 4);
  EXPECT_FALSE(parsed.command.has_value());
  ASSERT_EQ(parsed.problems.size(), 3U);
  EXPECT_EQ(parsed.problems[0].place, "view");
  EXPECT_EQ(parsed.problems[1].place, "origin");
  EXPECT_EQ(parsed.problems[2].place, "direction");
}

TEST(StudioCommands, AMisspelledCommandIsToldTheNearestOne) {
  const ParsedCommand parsed = parse_command(R"({"id": 4, "do": "realease"})");
  ASSERT_FALSE(parsed.problems.empty());
  EXPECT_NE(parsed.problems.front().remedy.find("release"), std::string::npos);
}

TEST(StudioCommands, WhatIsNoCommandIsRefusedAndNothingIsThrown) {
  const std::string deep(60000, '[');
  const std::string long_text(longest_text + 1, ' ');
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"), std::string(R"({"do": "play"})"),
        std::string(R"({"id": 1})"), std::string(R"({"id": "1", "do": "play"})"),
        std::string(R"({"id": 1, "do": "step", "count": 1e300})"),
        std::string(R"({"id": 1, "do": "step", "count": 0.5})"),
        std::string(R"({"id": 1, "do": "speed", "factor": -1})"), std::string("\xff\xfe\x00"), deep, long_text}) {
    const ParsedCommand parsed = parse_command(text);
    EXPECT_FALSE(parsed.command.has_value()) << text.substr(0, 60);
    EXPECT_FALSE(parsed.problems.empty()) << text.substr(0, 60);
  }
}

}  // namespace dashpot::test_studio_commands
