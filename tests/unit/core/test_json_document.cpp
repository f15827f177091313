#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/json_document.hpp"

namespace dashpot::test_json_document {
namespace {

std::string first_problem(const std::string& text) {
  const ParsedJson parsed = parse_json(text, "s.json");
  return parsed.problems.empty() ? "" : parsed.problems.front().text();
}

TEST(JsonDocument, EveryValueAndKeyKnowsItsLineAndColumn) {
  const ParsedJson parsed =
      parse_json("{\n  \"a\": [1, // one\n    \"\xC3\xA4\", true],\n  /* b */ \"b\": {\"c\": -2.5e3}\n}", "s.json");
  ASSERT_TRUE(parsed.problems.empty()) << parsed.problems[0].text();
  const JsonValue* a = parsed.value.find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->items.size(), 3U);
  EXPECT_EQ(a->line, 2);
  EXPECT_EQ(a->column, 8);
  EXPECT_EQ(a->items[1].text, "\xC3\xA4");
  EXPECT_EQ(a->items[2].line, 3);
  EXPECT_EQ(a->items[2].column, 10) << "columns count characters, not bytes";
  EXPECT_EQ(parsed.value.members[1].line, 4);
  EXPECT_EQ(parsed.value.members[1].column, 11);
  EXPECT_EQ(parsed.value.find("b")->find("c")->number, -2500);
}

TEST(JsonDocument, SlipsAreNamedWhereTheyAreAndReadingGoesOn) {
  const ParsedJson parsed =
      parse_json("{\"a\": [1, 2,],\n \"b\": NaN,\n \"a\": 3,\n \"c\": 1e999 \"d\": 5 ms}", "s.json");
  std::string all;
  for (const Problem& problem : parsed.problems) all += problem.text() + "\n";
  EXPECT_NE(all.find("s.json:1:12: a comma before ']'"), std::string::npos) << all;
  EXPECT_NE(all.find("s.json:2:7: NaN. Expected a finite number"), std::string::npos) << all;
  EXPECT_NE(all.find("s.json:3:2: the key \"a\" a second time"), std::string::npos) << all;
  EXPECT_NE(all.find("s.json:4:7: the number 1e999 does not fit"), std::string::npos) << all;
  EXPECT_NE(all.find("s.json:4:13: '\"' without a comma"), std::string::npos) << all;
}

TEST(JsonDocument, BrokenStructureSaysWhatIsMissing) {
  EXPECT_NE(first_problem("").find("s.json:1:1: the file is empty"), std::string::npos);
  EXPECT_NE(first_problem("{\"a\": [1, 2").find("ends inside the list opened at line 1"), std::string::npos);
  EXPECT_NE(first_problem("{\"a\" 1}").find("no ':' after the key \"a\""), std::string::npos);
  EXPECT_NE(first_problem("{a: 1}").find("a key in double quotes"), std::string::npos);
  EXPECT_NE(first_problem("{\"a\": 'x'}").find("single quote"), std::string::npos);
  EXPECT_NE(first_problem("{} {}").find("after the end"), std::string::npos);
  EXPECT_NE(first_problem("{\"a\": \"x\n\"}").find("never ends"), std::string::npos);
  EXPECT_NE(first_problem("/* x").find("comment that never ends"), std::string::npos);
  EXPECT_NE(first_problem(std::string(100000, '[')).find("nested deeper"), std::string::npos);
  EXPECT_NE(first_problem("{\"a\": \"\xFF\"}").find("s.json:1:8"), std::string::npos);
  EXPECT_NE(first_problem("[0x10]").find("'0x10'"), std::string::npos);
  EXPECT_NE(first_problem("[\"\\q\"]").find("escape"), std::string::npos);
  EXPECT_NE(first_problem("[\"\\ud800\"]").find("no character"), std::string::npos);
}

TEST(JsonDocument, WrittenDocumentsReadBackTheSame) {
  const std::string text =
      "{\"x\": [0.1, 1e-300, 123456789012345678, -0.25], \"s\": \"a\\\"b\\\\\\u00e4\\ud83d\\ude00\\n\", \"n\": null, "
      "\"t\": true, \"o\": {}}";
  const ParsedJson first = parse_json(text, "s");
  ASSERT_TRUE(first.problems.empty()) << first.problems[0].text();
  const std::string written = write_json(first.value);
  const ParsedJson second = parse_json(written, "s");
  ASSERT_TRUE(second.problems.empty()) << second.problems[0].text();
  EXPECT_EQ(write_json(second.value), written);
  EXPECT_EQ(second.value.find("x")->items[0].number, 0.1);
  EXPECT_EQ(second.value.find("x")->items[1].number, 1e-300);
  EXPECT_EQ(second.value.find("s")->text, first.value.find("s")->text);
}

TEST(JsonDocument, EveryTruncationOfADocumentIsRefusedWithoutACrash) {
  const std::string text = "{\"a\": [1, {\"b\": \"x\\u00e4\"}], /* c */ \"d\": -1.5e3}";
  ASSERT_TRUE(parse_json(text, "s").problems.empty());
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(parse_json(text.substr(0, n), "s").problems.empty()) << n;
}

TEST(JsonDocument, ListsAreIndexedByDigitsAndNothingElse) {
  JsonValue root = parse_json(R"({"bodies": [{"name": "a"}, {"name": "b"}]})", "s.json").value;
  ASSERT_NE(at_pointer(root, "/bodies/1/name"), nullptr);
  EXPECT_EQ(at_pointer(root, "/bodies/1/name")->text, "b");
  const std::string before = write_json(root);
  for (const char* nowhere :
       {"/bodies/a/name", "/bodies/-1/name", "/bodies/1x/name", "/bodies/ 1/name", "/bodies//name", "/bodies/+0/name",
        "/bodies/99999999999999999999/name", "bodies/0/name"}) {
    EXPECT_EQ(at_pointer(root, nowhere), nullptr) << nowhere;
    EXPECT_FALSE(put_at_pointer(root, nowhere, JsonValue::of("c"))) << nowhere;
  }
  EXPECT_EQ(write_json(root), before);
  EXPECT_TRUE(put_at_pointer(root, "/bodies/0/name", JsonValue::of("c")));
  EXPECT_TRUE(put_at_pointer(root, "/bodies/2/name", JsonValue::of("d"))) << "the index after the last appends";
  EXPECT_EQ(at_pointer(root, "/bodies/0/name")->text, "c");
  EXPECT_EQ(at_pointer(root, "/bodies/2/name")->text, "d");
  EXPECT_FALSE(put_at_pointer(root, "/bodies/4/name", JsonValue::of("e")));
}

}  // namespace
}  // namespace dashpot::test_json_document
