// Fields painted on elements: $ElementData of .msh files, and what becomes of them when meshes change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/hinges.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot::test_fields {
namespace {

/// Two tets (numbers 9 and 4) and a triangle (5) of their skin, in one of the two versions.
std::string two_tets(const std::string& sections, bool is_41 = false) {
  const char* const elements_22 = "3\n9 4 2 0 1 1 2 3 4\n5 2 2 0 1 1 2 3\n4 4 2 0 1 2 3 4 5\n";
  const char* const elements_41 = "2 3 4 9\n3 1 4 2\n9 1 2 3 4\n4 2 3 4 5\n2 1 2 1\n5 1 2 3\n";
  const char* const nodes_22 = "5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
  const char* const nodes_41 = "1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n";
  return fmt::format("$MeshFormat\n{} 0 8\n$EndMeshFormat\n$Nodes\n{}$EndNodes\n$Elements\n{}$EndElements\n{}",
                     is_41 ? "4.1" : "2.2", is_41 ? nodes_41 : nodes_22, is_41 ? elements_41 : elements_22, sections);
}
std::string element_data(const std::string& name, const std::string& rows, int count, int components = 1) {
  return fmt::format("$ElementData\n1\n\"{}\"\n1\n0.5\n3\n0\n{}\n{}\n{}$EndElementData\n", name, components, count,
                     rows);
}

std::string refusal(const std::string& bytes) {
  try {
    read_msh(bytes, "wet.msh");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ElementFields, ValuesFindTheirElementsByNumberInBothVersions) {
  for (const bool is_41 : {false, true}) {
    const Mesh mesh =
        read_msh(two_tets(element_data("wetness", "4 0.25\n9 3\n", 2) + element_data("on the skin", "5 7\n", 1), is_41),
                 "t.msh");
    ASSERT_EQ(mesh.tets()->size(), 2);
    ASSERT_EQ(mesh.tets()->fields.size(), 1U);  // what is painted on the skin alone is none of the tets
    ASSERT_NE(mesh.tets()->field("wetness"), nullptr);
    EXPECT_EQ(mesh.tets()->field("wetness")->values, (std::vector<double>{3, 0.25}));
    EXPECT_EQ(mesh.tets()->field("dryness"), nullptr);
    EXPECT_NE(to_text(mesh_info(mesh)).find("'wetness' on each tet4: 0.25 to 3"), std::string::npos);
  }
}

TEST(ElementFields, TheLastTimeStepIsTakenAndVectorsAreLeftOutWithAWarning) {
  MeshReport report;
  const Mesh mesh =
      read_msh(two_tets(element_data("wetness", "4 1\n9 1\n", 2) + element_data("wetness", "4 5\n9 6\n", 2) +
                        element_data("flow", "4 1 2 3\n9 4 5 6\n", 2, 3)),
               "t.msh", &report);
  EXPECT_EQ(mesh.tets()->field("wetness")->values, (std::vector<double>{6, 5}));
  EXPECT_EQ(mesh.tets()->field("flow"), nullptr);
  ASSERT_EQ(report.warnings.size(), 2U);
  EXPECT_NE(report.warnings[0].text().find("several time steps"), std::string::npos);
  EXPECT_NE(report.warnings[1].text().find("3 components"), std::string::npos);
}

TEST(ElementFields, IncompleteRepeatedAndUnknownElementsAreRefusedWithTheFieldAndTheFile) {
  const auto has = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  };
  has(refusal(two_tets(element_data("wetness", "4 1\n", 1))), {"wet.msh", "'wetness' has no value for 1 of 2 tets"});
  has(refusal(two_tets(element_data("wetness", "4 1\n4 2\n9 1\n", 3))), {"'wetness' gives element 4 twice"});
  has(refusal(two_tets(element_data("wetness", "4 1\n9 2\n77 1\n", 3))),
      {"'wetness' gives 1 elements that the file does not define"});
  has(refusal(two_tets(element_data("wetness", "4 1\n9 wet\n", 2))), {"wet.msh:", "'wet'", "a number"});
  has(refusal(two_tets(element_data("", "4 1\n9 2\n", 2))), {"without a name"});
  has(refusal(two_tets(element_data("wetness", "4 1\n", 100000000))), {"claims 100000000 values"});
  has(refusal(two_tets("$ElementData\n1\n\"w\"\n0\n2\n0\n1\n$EndElementData\n")), {"2 integer tags"});
  has(refusal(two_tets(element_data("w", "4\n9\n", 2, 0))), {"0 components"});
}

/// A bar in two regions, its elements painted by number.
Mesh painted_bar() {
  Mesh mesh = make_bar(Vec3(2, 1, 1), {2, 1, 1});
  mesh.regions = {"left", "right"};
  ElementGroup& tets = mesh.groups.front();
  for (int e = 0; e < tets.size(); ++e) tets.region.push_back(e % 3 == 0 ? 1 : 0);
  for (const char* name : {"wetness", "hair"}) {
    tets.fields.push_back({name, {}});
    for (int e = 0; e < tets.size(); ++e)
      tets.fields.back().values.push_back(std::sqrt(e + 1.0) + (*name == 'h' ? 9 : 0));
  }
  return mesh;
}

/// The value of each element by its nodes: elements are written region by region.
std::map<std::vector<int>, double> by_nodes(const ElementGroup& group, const char* name) {
  std::map<std::vector<int>, double> result;
  for (int e = 0; e < group.size(); ++e)
    result[{group.element(e), group.element(e) + nodes_per_element(group.kind)}] =
        group.field(name)->values.at(static_cast<std::size_t>(e));
  return result;
}

TEST(ElementFields, EveryDialectReadsBackBitForBit) {
  const Mesh mesh = painted_bar();
  for (const MshDialect dialect :
       {MshDialect::v41_ascii, MshDialect::v41_binary, MshDialect::v22_ascii, MshDialect::v22_binary}) {
    const Mesh again = read_msh(msh_bytes(mesh, dialect), "t.msh");
    ASSERT_EQ(again.tets()->fields.size(), 2U);
    for (const char* name : {"wetness", "hair"})
      EXPECT_EQ(by_nodes(*again.tets(), name), by_nodes(*mesh.tets(), name)) << static_cast<int>(dialect);
  }
}

TEST(ElementFields, NoPrefixOfAFileCrashes) {
  for (const MshDialect dialect : {MshDialect::v41_binary, MshDialect::v22_ascii}) {
    const std::string bytes = msh_bytes(painted_bar(), dialect);
    int refused = 0;
    const std::size_t begin = bytes.find("$ElementData") + 14;
    for (std::size_t length = begin; length < bytes.size(); ++length)
      refused += refusal(bytes.substr(0, length)) == "accepted" ? 0 : 1;
    // But for the end of the first section and the last line end.
    EXPECT_GT(refused, static_cast<int>(bytes.size() - begin) - 8);
  }
}

TEST(ElementFields, AreKeptByWhatKeepsElements) {
  const Mesh mesh = painted_bar();
  EXPECT_EQ(to_quadratic(mesh).tets()->field("wetness")->values, mesh.tets()->field("wetness")->values);
  const ElementGroup some = mesh.tets()->subset({4, 2});
  EXPECT_EQ(some.field("wetness")->values, (std::vector<double>{std::sqrt(5.0), std::sqrt(3.0)}));
  EXPECT_EQ(some.region, (std::vector<int>{mesh.tets()->region_of(4), mesh.tets()->region_of(2)}));
  HingedGroup gone;
  gone.tets = {0, 1};
  EXPECT_EQ(without_tets(mesh, {gone}).tets()->field("hair")->values.front(), std::sqrt(3.0) + 9);
  // Joined meshes have what both have.
  Mesh other = painted_bar();
  other.groups.front().fields.pop_back();
  const Mesh both = join(mesh, other);
  EXPECT_EQ(both.tets()->field("hair"), nullptr);
  ASSERT_EQ(both.tets()->field("wetness")->values.size(), static_cast<std::size_t>(both.tets()->size()));
  EXPECT_EQ(both.tets()->field("wetness")->values.back(), mesh.tets()->field("wetness")->values.back());
  EXPECT_EQ(join(Mesh(), mesh).tets()->fields.size(), 2U);
}

TEST(ElementFields, FormatsThatCannotHoldThemSaySo) {
  EXPECT_NE(vtu_bytes(painted_bar()).find("Name=\"wetness\""), std::string::npos);
  const std::vector<Problem> lost = lost_in_format(painted_bar(), "bar.veg");
  ASSERT_FALSE(lost.empty());
  EXPECT_NE(lost.front().text().find("2 painted fields"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_fields
