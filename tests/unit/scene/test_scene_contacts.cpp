// Contacts between bodies in scenes: what is filled in, what is refused.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_scene_contacts {
namespace {

std::string scene_with(const std::string& contacts, const std::string& second = R"({"name": "b",
    "mesh": {"sphere": {"radius": 0.1, "layers": 2}}, "place": {"translate": [0.3, 0, 0]},
    "material": {"model": "stvk", "young": "300 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}})") {
  return R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "10 ms"}, "bodies": [{"name": "a",
    "mesh": {"sphere": {"radius": 0.1, "layers": 2}},
    "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}}, )" +
         second + R"(], "contacts": )" + contacts + "}";
}

std::string problems_of(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "scene", "").problems)
    all += problem.found + " | " + problem.expected + " | " + problem.remedy + "\n";
  return all;
}

TEST(SceneContacts, TakeTheirStiffnessFromTheSofterBody) {
  const CompiledScene scene = compile(parse_scene(scene_with("[{}]")));
  ASSERT_EQ(scene.contacts.size(), 1u);
  EXPECT_NE(scene.contacts[0].find("touches b"), std::string::npos) << scene.contacts[0];
  int contacts = 0;
  for (const auto& term : scene.system->energies()) contacts += term->kind() == EnergyKind::contact;
  EXPECT_EQ(contacts, 1);
  EXPECT_TRUE(compile(parse_scene(scene_with("[]"))).contacts.empty()) << "no contact unless asked for";
}

TEST(SceneContacts, SayWhatIsWrongWithThem) {
  EXPECT_NE(problems_of(scene_with(R"([{"between": ["a", "bb"]}])")).find("did you mean \"b\""), std::string::npos);
  EXPECT_NE(problems_of(scene_with(R"([{"between": ["a", "a"]}])")).find("itself"), std::string::npos);
  EXPECT_NE(problems_of(scene_with(R"([{"friction": -1}])")).find("friction"), std::string::npos);
  EXPECT_EQ(problems_of(scene_with(R"([{"between": ["b", "a"], "friction": 0.5, "thickness": "1 mm"}])")), "");
}

TEST(SceneContacts, OfThingsWithoutVolumeAskForAThickness) {
  const auto chains = [](const std::string& contacts) {
    return R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "10 ms"}, "bodies": [
      {"name": "a", "mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 4}},
       "springs": [{"stiffness": 100}], "point_masses": [{"mass": 0.1}]},
      {"name": "b", "mesh": {"chain": {"ends": [[0.5, 0.2, -1], [0.5, 0.2, 1]], "edges": 4}},
       "springs": [{"stiffness": 100}], "point_masses": [{"mass": 0.1}]}], "contacts": )" +
           contacts + "}";
  };
  EXPECT_NE(problems_of(chains("[{}]")).find("thickness"), std::string::npos);
  EXPECT_NE(problems_of(chains(R"([{"thickness": "2 cm"}])")).find("stiffness"), std::string::npos);
  EXPECT_EQ(problems_of(chains(R"([{"thickness": "2 cm", "stiffness": "1 MPa/m"}])")), "");
}

}  // namespace
}  // namespace dashpot::test_scene_contacts
