// info and convert on small files, good and bad.
#include <filesystem>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_mesh_commands {
namespace {

const char* const one_tet_node = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
const char* const one_tet_ele = "1 4 0\n1 1 2 3 4\n";

TEST(InfoCommand, ATetHasFourNodesAndASixthOfACubicMeter) {
  const ScratchFolder folder;
  folder.write("tet.ele", one_tet_ele);
  const ProgramResult result = run_dashpot({"info", folder.write("tet.node", one_tet_node), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = result.json();
  EXPECT_EQ(json.at("schema"), "dashpot/info/1");
  EXPECT_EQ(json.at("mesh").at("nodes"), 4);
  EXPECT_NEAR(json.at("mesh").at("volume"), 1.0 / 6, 1e-12);
}

TEST(ConvertCommand, AMeshSurvivesTheWayThroughEveryFormat) {
  const ScratchFolder folder;
  folder.write("tet.ele", one_tet_ele);
  std::string from = folder.write("tet.node", one_tet_node);
  for (const char* name : {"a.msh", "b.veg"}) {
    const ProgramResult result = run_dashpot({"convert", from, folder.path(name)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(result.out.empty());
    from = folder.path(name);
  }
  EXPECT_NEAR(run_dashpot({"info", from, "--json"}).json().at("mesh").at("volume"), 1.0 / 6, 1e-12);
  const ProgramResult binary =
      run_dashpot({"convert", from, folder.path("c.msh"), "--msh", "4.1-binary", "--scale", "2"});
  ASSERT_EQ(binary.exit_code, 0) << binary.err;
  EXPECT_NEAR(run_dashpot({"info", folder.path("c.msh"), "--json"}).json().at("mesh").at("volume"), 8.0 / 6, 1e-12);
}

TEST(InfoCommand, BadFilesAreBadInputWithinASecondAndNeverACrash) {
  const ScratchFolder folder;
  const std::string files[] = {
      folder.write("empty.msh", ""),
      folder.write("garbage.msh", std::string("\xff\xfe\0\1\2garbage", 12)),
      folder.write("huge.ply",
                   "ply\nformat ascii 1.0\nelement vertex 10000000\nproperty float x\nproperty float y\n"
                   "property float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n"),
      folder.write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
      folder.write("index.obj", "v 0 0 0\nf 1 2 3\n"),
      folder.write(
          "half_painted.msh",
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
          "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n$EndElements\n"
          "$ElementData\n1\n\"wetness\"\n1\n0\n3\n0\n1\n1\n2 0.5\n$EndElementData\n"),
      folder.path("absent.msh"),
      folder.write("unknown.xyz", "1 2 3")};
  for (const std::string& file : files) {
    const ProgramResult result = run_dashpot({"info", file});
    EXPECT_EQ(result.exit_code, 3) << file << "\n" << result.err;
    EXPECT_TRUE(result.out.empty()) << file;
    EXPECT_FALSE(result.err.empty()) << file;
    EXPECT_LT(result.seconds, 1) << file;
  }
}

TEST(MeshCommand, AnAssetBecomesAMeshFileWithItsRegions) {
  const ScratchFolder folder;
  const std::string out = folder.path("koala.msh");
  const ProgramResult result = run_dashpot({"mesh", "koala", "--tets", "2000", "--height", "1 m", "-o", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NEAR(result.json().at("mesh").at("elements").at("tet4"), 2000, 60);
  EXPECT_GE(result.json().at("mesh").at("quality").at("min_dihedral_degrees"), 9);
  const nlohmann::json info = run_dashpot({"info", out, "--json"}).json().at("mesh");
  EXPECT_NEAR(info.at("box").at("max")[1].get<double>() - info.at("box").at("min")[1].get<double>(), 1, 1e-9);
  EXPECT_GT(info.at("regions").size(), 3u);
  EXPECT_NE(run_dashpot({"mesh", "--list"}).out.find("koala"), std::string::npos);
}

TEST(MeshCommand, PartsThatHangOnAnEdgeAreToldByMeshInfoAndCheck) {
  const ScratchFolder folder;
  const std::string out = folder.path("bunny.msh"), told = "hang on the rest by a vertex or an edge";
  const ProgramResult mesh = run_dashpot({"mesh", "bunny", "--tets", "1000", "-o", out});
  ASSERT_EQ(mesh.exit_code, 0) << mesh.err;
  EXPECT_NE(mesh.err.find(told), std::string::npos) << mesh.err;
  EXPECT_NE(run_dashpot({"info", out}).out.find(told), std::string::npos);
  EXPECT_EQ(run_dashpot({"info", out, "--json"}).json().at("mesh").at("hinged").at("groups"), 2);
  const auto scene = [&](const std::string& name, const std::string& mesh_text) {
    return folder.write(name, R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 s"}, "bodies": [{"mesh": )" +
                                  mesh_text +
                                  R"(, "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
      "pins": [{"where": {"region": "feet"}}]}]})");
  };
  for (const std::string& file :
       {scene("file.json", R"({"file": "bunny.msh"})"), scene("shape.json", R"({"shape": "bunny", "tets": 1000})")}) {
    const ProgramResult check = run_dashpot({"check", file});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_NE(check.err.find(told), std::string::npos) << check.err;
  }
  const ProgramResult sound = run_dashpot({"check", scene("sound.json", R"({"shape": "bunny", "tets": 1500})")});
  EXPECT_EQ(sound.err.find(told), std::string::npos) << sound.err;
}

TEST(MeshCommand, AnUnknownAssetAndAWrongOptionAreExplained) {
  const ProgramResult unknown = run_dashpot({"mesh", "koalla"});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_NE(unknown.err.find("Did you mean 'koala'"), std::string::npos) << unknown.err;
  EXPECT_EQ(run_dashpot({"mesh"}).exit_code, 2);
  EXPECT_EQ(run_dashpot({"mesh", "blob", "--spacing", "3 kg"}).exit_code, 2);
  EXPECT_EQ(run_dashpot({"mesh", "blob", "--tets", "1e15"}).exit_code, 3);
}

}  // namespace
}  // namespace dashpot::testing::test_mesh_commands
