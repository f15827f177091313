#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/import/vega_config.hpp"

namespace dashpot::test_vega_config {
namespace {

const char* two_tets = R"(*VERTICES
5 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
*ELEMENTS
TETS
2 4 0
1 1 2 3 4
2 2 3 4 5
*SET back
2
*MATERIAL soft
ENU, 1000, 1E6, 0.4
*MATERIAL hard
ENU, 2000, 4E6, 0.3
*REGION
allElements, soft
*REGION
back, hard
)";

const char* config = R"(# a comment
*deformableObjectMethod
StVK
*volumetricMeshFilename
two.veg
*fixedVerticesFilename
two.bou
*timestep
0.01
*substepsPerTimeStep
4
*dampingMassCoef
0.5
*dampingStiffnessCoef
0.002
*newmarkBeta
0.3025
*newmarkGamma
0.6
*solver
implicitNewmark
*addGravity
1
*windowWidth
800
*someNewKey
7
)";

class VegaConfig : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("dashpot_vega_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write_file_atomically((folder_ / "two.veg").string(), two_tets);
    write_file_atomically((folder_ / "two.bou").string(), "1,2,3,\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  ImportedScene import(const std::string& text) const { return import_vega_config(text, "c.config", folder_.string()); }
  SceneSpec spec_of(const ImportedScene& imported) const {
    return parse_scene(write_json(imported.scene), "c.json", folder_.string());
  }
  std::string refusal(const std::string& text) const {
    try {
      import(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

TEST_F(VegaConfig, MeshPinsDampingAndIntegratorCarryOver) {
  const ImportedScene imported = import(config);
  const SceneSpec spec = spec_of(imported);
  EXPECT_EQ(spec.time.dt, 0.0025);
  EXPECT_EQ(spec.time.stepper.name(), "newmark");
  EXPECT_EQ(spec.time.stepper.value("gamma"), 0.6);
  EXPECT_EQ(spec.newton.fixed_iterations, 1);
  EXPECT_EQ(spec.gravity.y(), -9.81);
  ASSERT_EQ(spec.bodies[0].damping.size(), 1U);
  EXPECT_EQ(spec.bodies[0].damping[0].settings.number("alpha"), 0.5);
  EXPECT_EQ(spec.bodies[0].damping[0].settings.number("beta"), 0.002);
  const CompiledScene scene = compile(spec);
  EXPECT_EQ(scene.system->num_dofs(), 15);
  for (int dof = 0; dof < 15; ++dof)
    EXPECT_EQ(scene.system->is_free()[static_cast<std::size_t>(dof)], dof < 9 ? 0 : 1) << "vertices count from 1";
  EXPECT_NEAR(scene.bodies[0].mass, 1000.0 / 6 + 2000.0 / 3, 1e-9) << "each region has its density";
}

TEST_F(VegaConfig, KeysWithoutMeaningHereAreListed) {
  std::string all;
  for (const Problem& warning : import(config).warnings) {
    EXPECT_EQ(warning.severity, Problem::Severity::warning);
    all += warning.text() + "\n";
  }
  EXPECT_NE(all.find("someNewKey"), std::string::npos) << all;
  EXPECT_NE(all.find("windowWidth"), std::string::npos) << all;
  EXPECT_NE(all.find("5 s"), std::string::npos) << all;
}

TEST_F(VegaConfig, OtherPhysicsIsRefusedWithAnExplanation) {
  EXPECT_NE(refusal(std::string(config) + "*dampingLaplacianCoef\n0.1\n").find("dampingStiffnessCoef"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(config) + "*initialPositionFilename\nx.bin\n").find("pose"), std::string::npos);
  EXPECT_EQ(refusal(std::string(config) + "*dampingLaplacianCoef\n0\n"), "");
  EXPECT_NE(refusal("*timestep\nfast\n").find("a number"), std::string::npos);
  EXPECT_NE(refusal("*timestep\n0.01\n*volumetricMeshFilename\nnone.veg\n").find("none.veg"), std::string::npos);
  EXPECT_NE(refusal("garbage").find("without a key"), std::string::npos);
  EXPECT_NE(refusal("").find("no \"*key\""), std::string::npos);
  EXPECT_NE(refusal("*timestep").find("without a value"), std::string::npos);
}

TEST_F(VegaConfig, ForceLoadsBecomeForcesWithTimeWindows) {
  std::string bytes(8 + 8 * 15 * 3, '\0');
  const std::int32_t size[2] = {15, 3};
  std::memcpy(bytes.data(), size, 8);
  const double force = -2;
  for (const int column : {0, 1}) std::memcpy(bytes.data() + 8 + 8 * (15 * column + 13), &force, 8);  // node 5, y
  write_file_atomically((folder_ / "f.bin").string(), bytes);
  const SceneSpec spec = spec_of(import(std::string(config) + "*forceLoadsFilename\nf.bin\n"));
  ASSERT_EQ(spec.bodies[0].loads.size(), 1U);
  EXPECT_EQ(spec.bodies[0].loads[0].settings.vec3("force"), Vec3(0, -2, 0));
  EXPECT_EQ(spec.bodies[0].loads[0].settings.number("until"), 0.02);
  write_file_atomically((folder_ / "f.bin").string(), bytes.substr(0, 100));
  EXPECT_NE(refusal(std::string(config) + "*forceLoadsFilename\nf.bin\n").find("rows"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_vega_config
