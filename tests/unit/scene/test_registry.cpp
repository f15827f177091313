#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"
#include "dashpot/scene/read_scene.hpp"

namespace dashpot::test_registry {
namespace {

void expect_described(const std::vector<Parameter>& parameters, const std::string& where) {
  std::set<std::string> names;
  for (const Parameter& parameter : parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << where << "/" << parameter.name << " twice";
    EXPECT_FALSE(parameter.meaning.empty()) << where << "/" << parameter.name;
    if (!parameter.fallback.empty()) {
      EXPECT_TRUE(parse_json(parameter.fallback, "").problems.empty()) << where << "/" << parameter.name;
      EXPECT_FALSE(parameter.required);
    }
    expect_described(parameter.type.fields, where + "/" + parameter.name);
  }
}

TEST(Registry, EveryModelSaysWhatItMeansAndCanBeBuilt) {
  std::set<std::pair<Category, std::string>> seen;
  ASSERT_GT(registry().entries().size(), 20U);
  for (const ModelEntry& entry : registry().entries()) {
    EXPECT_TRUE(seen.insert({entry.category, entry.name}).second) << entry.name << " twice";
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    EXPECT_FALSE(std::holds_alternative<std::monostate>(entry.factory)) << entry.name << " has no factory";
    if (!entry.shorthand.empty()) {
      EXPECT_NE(entry.parameter(entry.shorthand), nullptr) << entry.name;
    }
    expect_described(entry.parameters, entry.name);
  }
  expect_described(registry().scene_fields, "");
}

TEST(Registry, SteppersHaveOneNameEverywhere) {
  const std::vector<std::string> names = registry().names(Category::stepper);
  ASSERT_EQ(names, integrator_names());
  ASSERT_GE(names.size(), 9U);
  for (const std::string& name : names) {
    const std::string text = "{\"dashpot\": 1, \"time\": {\"dt\": 1, \"end\": 2, \"stepper\": \"" + name +
                             "\"}, \"bodies\": [{\"mesh\": {\"points\": {\"positions\": [[0, 0, 0]]}}, "
                             "\"point_masses\": [{\"mass\": 1}]}]}";
    EXPECT_EQ(parse_scene(text).time.stepper.name(), name);
  }
}

TEST(Registry, TheSchemaIsValidJSONAndKnowsEveryModelAndParameter) {
  const nlohmann::json schema = nlohmann::json::parse(write_json(scene_schema()));
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  for (const ModelEntry& entry : registry().entries()) {
    const std::string name = std::string(category_info(entry.category).name) + "." + entry.name;
    ASSERT_TRUE(schema["$defs"].contains(name)) << name;
    const std::string text = schema["$defs"][name].dump();
    for (const Parameter& parameter : entry.parameters)
      EXPECT_NE(text.find('"' + parameter.name + '"'), std::string::npos) << name << "/" << parameter.name;
  }
}

TEST(Registry, EveryReferenceInsideTheSchemaLeadsSomewhere) {
  const nlohmann::json schema = nlohmann::json::parse(write_json(scene_schema()));
  const std::string text = schema.dump();
  int references = 0;
  for (std::size_t at = text.find("#/$defs/"); at != std::string::npos; at = text.find("#/$defs/", at + 1)) {
    const std::size_t start = at + 8;
    EXPECT_TRUE(schema["$defs"].contains(text.substr(start, text.find('"', start) - start)));
    ++references;
  }
  EXPECT_GT(references, 30);
}

}  // namespace
}  // namespace dashpot::test_registry
