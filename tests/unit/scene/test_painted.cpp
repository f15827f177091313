// Damping painted in the mesh file: each element has the model's coefficients times its value.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/write.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/scene/compile.hpp"
#include "support/noise_vector.hpp"

namespace dashpot::test_painted {
namespace {

/// A mesh in a file of its own, gone with it.
class MeshFile {
 public:
  explicit MeshFile(const Mesh& mesh)
      : path_(
            (std::filesystem::temp_directory_path() / fmt::format("painted_{}_{}.msh", getpid(), ++count())).string()) {
    write_mesh(path_, mesh);
  }
  ~MeshFile() { std::filesystem::remove(path_); }
  MeshFile(const MeshFile&) = delete;
  MeshFile& operator=(const MeshFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  static int& count() {
    static int number = 0;
    return number;
  }
  std::string path_;
};

/// Every third element in the region "wet" and painted with `wet`, the others with `dry`.
Mesh painted(Mesh mesh, double wet, double dry = 1) {
  mesh.regions = {"dry", "wet"};
  ElementGroup& group = mesh.groups.front();
  group.fields = {{"wetness", {}}, {"hair", std::vector<double>(static_cast<std::size_t>(group.size()), 0.5)}};
  for (int e = 0; e < group.size(); ++e) {
    group.region.push_back(e % 3 == 0 ? 1 : 0);
    group.fields.front().values.push_back(e % 3 == 0 ? wet : dry);
  }
  return mesh;
}
Mesh painted_bar(double wet) { return painted(make_bar(Vec3(0.4, 0.1, 0.1), {4, 1, 1}), wet); }

std::string scene(const MeshFile& mesh, const std::string& damping, const std::string& body = "",
                  const std::string& material = R"("model": "stvk", "young": "100 kPa", "poisson": 0.3)") {
  return fmt::format(R"({{"dashpot": 1, "time": {{"dt": "1 ms", "end": "1 s"}}, "bodies": [{{{}
      "mesh": {{"file": "{}"}}, "material": {{{}, "density": 1000}}, "damping": [{}]}}]}})",
                     body, mesh.path(), material, damping);
}
const char* const cloth = R"("model": "cloth", "young": "100 kPa", "poisson": 0.3, "thickness": "1 mm")";

/// Forces of all dampings at one state, the same for all scenes.
Vector damping_force(const System& system) {
  State state = system.initial_state();
  const double size = state.q.cwiseAbs().maxCoeff();
  state.q += 0.02 * size * testing::noise(state.q.size(), 1);
  state.v = size * testing::noise(state.q.size(), 1000);
  Workspace workspace = system.make_workspace();
  system.begin_step(state, workspace);
  Vector force = Vector::Zero(state.q.size());
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    DissipationRequest request{state.q, state.v, state.internal_variables[j], 0, workspace.dissipation[j].get()};
    request.force = &force;
    system.dissipations()[j]->evaluate(request);
  }
  return force;
}
Vector damping_force(const std::string& text) { return damping_force(*compile(parse_scene(text)).system); }

std::string refusal(const std::string& text) {
  try {
    compile(parse_scene(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Painted, ADoubledFieldIsADoubledRegion) {
  const MeshFile twice(painted_bar(2));
  const char* const pairs[][2] = {
      {R"({"model": "strain_rate", "viscosity": 30, "second_viscosity": 10, "painted": "wetness"})",
       R"({"model": "strain_rate", "viscosity": 30, "second_viscosity": 10,
           "regions": {"wet": {"viscosity": 60, "second_viscosity": 20}}})"},
      {R"({"model": "strain_rate", "beta": "4 ms", "metric": "corotational", "painted": "wetness"})",
       R"({"model": "strain_rate", "beta": "4 ms", "metric": "corotational", "regions": {"wet": {"beta": "8 ms"}}})"},
      {R"({"model": "rayleigh", "beta": "4 ms", "alpha": "2 /s", "painted": "wetness"})",
       R"({"model": "rayleigh", "beta": "4 ms", "alpha": "2 /s",
           "regions": {"wet": {"beta": "8 ms", "alpha": "4 /s"}}})"}};
  for (const char* body : {"", R"("elements": "tet10", "place": {"translate": [1, 2, 3], "scale": 2},)"})
    for (const auto& [field, region] : pairs) {
      const Vector by_field = damping_force(scene(twice, field, body)),
                   by_region = damping_force(scene(twice, region, body));
      EXPECT_GT(by_region.norm(), 1e-3);
      EXPECT_EQ((by_field - by_region).cwiseAbs().maxCoeff(), 0) << field;
    }
}

TEST(Painted, OnlyTheElementsThatAreWetterAreDampedMore) {
  const MeshFile once(painted_bar(1)), twice(painted_bar(2)),
      never(painted(make_bar(Vec3(0.4, 0.1, 0.1), {4, 1, 1}), 1, 0));
  const char* const damping = R"({"model": "strain_rate", "viscosity": 30, "painted": "wetness"})";
  const Vector more = damping_force(scene(twice, damping)) - damping_force(scene(once, damping));
  const Vector wet_alone = damping_force(scene(never, damping));
  EXPECT_GT(wet_alone.norm(), 1e-3);
  EXPECT_LT((more - wet_alone).norm(), 1e-13 * more.norm());
}

TEST(Painted, SheetsArePaintedInTheirTrianglesAndHinges) {
  const Mesh flat = make_cloth(0.5, 0.5, {3, 3});
  const MeshFile plain(painted(flat, 1)), twice(painted(flat, 2, 2)), wet(painted(flat, 4, 1)),
      dry(painted(flat, 0, 3));
  for (const char* damping :
       {R"({"model": "strain_rate", "beta": "4 ms", "painted": "wetness"})",
        R"({"model": "strain_rate", "viscosity": 30, "bending_viscosity": 1e-3, "painted": "wetness"})"}) {
    const auto force = [&](const MeshFile& mesh) { return damping_force(scene(mesh, damping, "", cloth)); };
    const Vector one = force(plain);
    EXPECT_GT(one.norm(), 1e-6);
    const std::string bare = std::string(damping).substr(0, std::string(damping).find(R"(, "painted")")) + "}";
    EXPECT_EQ((damping_force(scene(plain, bare, "", cloth)) - one).norm(), 0) << "a field of ones does nothing";
    EXPECT_LT((force(twice) - 2 * one).norm(), 1e-13 * one.norm());
    // Linear in the field: (4, 1) + (0, 3) = 4 everywhere.
    EXPECT_LT((force(wet) + force(dry) - 4 * one).norm(), 1e-12 * one.norm());
    EXPECT_GT((force(wet) - 2 * one).norm(), 0.1 * one.norm());
  }
}

TEST(Painted, TurningACoefficientTurnsItInProportion) {
  const MeshFile twice(painted_bar(2));
  const auto text = [&](const char* mu) {
    return scene(twice, fmt::format(R"({{"model": "strain_rate", "viscosity": {}, "painted": "wetness"}})", mu));
  };
  const CompiledScene before = compile(parse_scene(text("30")));
  std::vector<double> values;
  before.system->parameters().set("/bodies/0/damping/0/viscosity", 70, values);
  const Vector turned = damping_force(*before.system->with(values)), written = damping_force(text("70"));
  EXPECT_EQ((turned - written).cwiseAbs().maxCoeff(), 0);
}

TEST(Painted, FieldsThatAreNotThereOrOutOfRangeAreRefusedByName) {
  const auto has = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  };
  const MeshFile good(painted_bar(2)), negative(painted_bar(-0.5));
  const auto model = [](const char* field) {
    return fmt::format(R"({{"model": "strain_rate", "viscosity": 30, "painted": "{}"}})", field);
  };
  has(refusal(scene(good, model("wetnes"))), {"no field \"wetnes\" on the tet4s of '", ".msh", "hair, wetness",
                                              "Did you mean \"wetness\"?", "/bodies/0/damping/0/painted"});
  has(refusal(scene(negative, model("wetness"))),
      {"\"wetness\"", ".msh", "-0.5 on tet4 16 and out of range on 8", "finite numbers >= 0"});
  has(refusal(R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 s"}, "bodies": [
      {"mesh": {"bar": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
       "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
       "damping": [{"model": "rayleigh", "beta": "1 ms", "painted": "wetness"}]}]})"),
      {"the mesh of kind bar", "which has none", "$ElementData"});
  const MeshFile sheet(painted(make_cloth(0.5, 0.5, {3, 3}), 1));
  has(refusal(scene(sheet, R"({"model": "rayleigh", "beta": "1 ms", "painted": "wetness"})", "", cloth)),
      {"has no tets", "strain_rate"});
}

}  // namespace
}  // namespace dashpot::test_painted
