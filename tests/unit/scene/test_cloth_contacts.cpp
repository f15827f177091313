// Cloth that touches itself and other cloth, from the scene to the run.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/contact/edge_crossings.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_cloth_contacts {
namespace {

/// A strip that stands on its narrow end and falls in on itself.
std::string falling_strip(const std::string& contacts, const std::string& solver = R"("newton": {})") {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "0.55 s", "stepper": "backward_euler"},
  "solver": {)" +
         solver + R"(},
  "bodies": [{"name": "strip", "mesh": {"cloth": {"size": [1, 0.2], "cells": [20, 4]}},
    "place": {"rotate": [0, 0, "90 deg"], "translate": [0, 0.02, 0]},
    "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-5 J"},
    "start": {"from": "formula", "x": "sin(9*Y) * 0.02", "z": "0.01*Y"}}],
  "colliders": [{"plane": {"friction": 0.3, "stiffness": "100 kPa/m"}}],
  "contacts": )" +
         contacts + R"(, "record": {"every": "10 ms"}})";
}
const char* with_itself = R"([{"between": ["strip", "strip"], "thickness": "8 mm", "friction": 0.3}])";

std::string problems_of(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "scene", "").problems)
    all += problem.found + " | " + problem.expected + " | " + problem.remedy + "\n";
  return all;
}

/// Segments through triangles [MoellerTrumbore1997], all against all; nothing of the library.
int crossings(const Mesh& mesh, const std::vector<Vec3>& x) {
  const ElementGroup& triangles = *mesh.group(ElementKind::triangle);
  int count = 0;
  for (int s = 0; s < triangles.size(); ++s)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles.element(s)[k], b = triangles.element(s)[(k + 1) % 3];
      const Vec3 p = x[at(a)], d = x[at(b)] - p;
      for (int t = 0; t < triangles.size(); ++t) {
        const int* n = triangles.element(t);
        if (n[0] == a || n[1] == a || n[2] == a || n[0] == b || n[1] == b || n[2] == b) continue;
        const Vec3 e1 = x[at(n[1])] - x[at(n[0])], e2 = x[at(n[2])] - x[at(n[0])], h = d.cross(e2);
        const double det = e1.dot(h);
        if (det == 0) continue;
        const Vec3 from = p - x[at(n[0])];
        const double u = from.dot(h) / det, v = d.dot(from.cross(e1)) / det, along = e2.dot(from.cross(e1)) / det;
        count += u > 0 && v > 0 && u + v < 1 && along > 0 && along < 1;
      }
    }
  return count;
}

/// Over all frames of a run.
int crossings(const RunResult& run) {
  int count = 0;
  for (const Frame& frame : run.recording.frames) count += crossings(run.recording.bodies[0].mesh, frame.points);
  return count;
}

RunResult run_of(CompiledScene scene) {
  scene.run.frames_every = 0.01;
  return simulate(scene);
}

TEST(ClothContacts, AStripThatFallsInOnItselfNeverCrossesItself) {
  const RunResult bare = run_of(compile(parse_scene(falling_strip("[]"))));
  EXPECT_GT(crossings(bare), 50) << "without contact this fall would show nothing";
  // The library's own search finds the same ones; here inner edges are looked at twice, once from each triangle.
  const Mesh& mesh = bare.recording.bodies[0].mesh;
  const contact::ClothSurface surface = contact::make_cloth_surface({{"strip", &mesh, 0}});
  for (const Frame& frame : bare.recording.frames) {
    std::vector<Vec3> x;
    for (const int point : surface.points) x.push_back(frame.points[at(point)]);
    const int all = crossings(mesh, frame.points);
    const int found = static_cast<int>(contact::find_crossings(surface, x, 100000).size());
    EXPECT_LE(found, all);
    EXPECT_LE(all, 2 * found);
  }
  for (const char* solver : {R"("newton": {})", R"("newton": {"fixed_iterations": 1})"}) {
    const RunResult held = run_of(compile(parse_scene(falling_strip(with_itself, solver))));
    EXPECT_EQ(held.status, RunStatus::finished) << held.explanation;
    EXPECT_GT(held.recording.frames.size(), 50u);
    EXPECT_EQ(crossings(held), 0) << solver;
  }
}

TEST(ClothContacts, SheetsThatMeetFastAreTakenInShorterSteps) {
  const auto sheets = [](const std::string& contacts) {
    return R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "80 ms", "stepper": "backward_euler"},
    "solver": {"newton": {"fixed_iterations": 1}},
    "bodies": [
      {"name": "low", "mesh": {"cloth": {"size": [1, 1], "cells": [6, 6]}},
       "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-5 J"}},
      {"name": "high", "mesh": {"cloth": {"size": [0.7, 0.7], "cells": [5, 5]}}, "place": {"translate": [0.1, 0.1, 0.12]},
       "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-5 J"},
       "start": {"from": "rest", "velocity": [0, -5, 0]}}],
    "contacts": )" +
           contacts + "}";
  };
  const auto lowest_height = [](const RunResult& run) {
    const RecordedBody &low = run.recording.bodies[0], &high = run.recording.bodies[1];
    double least = 1e9;
    for (int i = 0; i < high.mesh.num_nodes(); ++i)
      least = std::min(least, run.recording.frames.back().points[at(high.first_point + i)].y());
    double most = -1e9;
    for (int i = 0; i < low.mesh.num_nodes(); ++i)
      most = std::max(most, run.recording.frames.back().points[at(low.first_point + i)].y());
    return least - most;
  };
  EXPECT_LT(lowest_height(run_of(compile(parse_scene(sheets("[]"))))), -0.1);
  const RunResult met = run_of(compile(parse_scene(sheets(R"([{"thickness": "2 cm"}])"))));
  EXPECT_EQ(met.status, RunStatus::finished) << met.explanation;
  EXPECT_GT(met.counters.substepped, 0);
  // Both sheets as one mesh; they bend around each other, but do not cross.
  Mesh both = met.recording.bodies[0].mesh;
  for (const int node : met.recording.bodies[1].mesh.group(ElementKind::triangle)->nodes)
    both.group(ElementKind::triangle)->nodes.push_back(node + met.recording.bodies[1].first_point);
  for (const Frame& frame : met.recording.frames) EXPECT_EQ(crossings(both, frame.points), 0);
  EXPECT_GT(lowest_height(met), -0.3);
}

TEST(ClothContacts, SayWhatIsWrongWithThem) {
  EXPECT_EQ(problems_of(falling_strip(with_itself)), "");
  EXPECT_NE(problems_of(falling_strip(R"([{"between": ["strip", "strip"]}])")).find("thickness"), std::string::npos);
  EXPECT_NE(problems_of(falling_strip(R"([{"between": ["strip", "strip"], "thickness": 0}])")).find("thickness"),
            std::string::npos);
  EXPECT_NE(problems_of(falling_strip(R"([{"between": ["strip", "strip"], "thickness": "8 mm", "onset": "1 mm"}])"))
                .find("onset"),
            std::string::npos);
  EXPECT_NE(problems_of(falling_strip(R"([{"thickness": "8 mm"}])")).find("named twice"), std::string::npos);
}

TEST(ClothContacts, ThatCrossAtTheStartAreRefused) {
  const auto bent = [](const std::string& x) {
    return R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 ms"}, "bodies": [{"name": "strip",
    "mesh": {"cloth": {"size": [1, 0.2], "cells": [20, 4]}},
    "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200},
    "start": {"from": "formula", "y": "(X-0.5)^2", "x": ")" +
           x + R"("}}], "contacts": [{"between": ["strip", "strip"], "thickness": "8 mm"}]})";
  };
  EXPECT_NO_THROW(compile(parse_scene(bent("0"))));
  try {
    compile(parse_scene(bent("4*(X-0.5)^3 - 1.64*(X-0.5)")));  // a loop that meets itself at X = 0.1 and 0.9
    ADD_FAILURE() << "a loop was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("crosses itself"), std::string::npos) << error.what();
  }
}

TEST(ClothContacts, TellTheirNumbers) {
  const CompiledScene scene = compile(parse_scene(falling_strip(with_itself)));
  ASSERT_EQ(scene.contacts.size(), 2u);
  // rho_A = 0.2 kg/m^2, h = 8 mm: (3 m/s)^2 / h^2 > 25 g / h, so k = 0.2 * 9 / 0.008^2 Pa/m.
  EXPECT_NE(scene.contacts[1].find("touches itself, layers press from 8 mm on with 28.1 kPa/m"), std::string::npos)
      << scene.contacts[1];
}

TEST(OpenedStart, LiftsSheetsOffEachOtherAndLeavesTheSeam) {
  const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 ms"},
    "bodies": [{"name": "shirt", "mesh": {"shape": {"name": "t_shirt", "tets": 1500}},
      "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200, "rest_bend": "straight"},
      "start": {"from": "opened", "lift": "10 cm", "rise": "15 cm"}}]})"));
  const Mesh& mesh = scene.bodies[0].mesh;
  for (const auto& [name, nodes] : mesh.node_sets)
    for (const int node : nodes) {
      const Vec3 moved = scene.start.q.segment<3>(3 * node) - mesh.nodes[at(node)];
      EXPECT_NEAR(moved.head<2>().norm(), 0, 1e-15);
      if (name == "seam") EXPECT_EQ(moved.z(), 0);
      if (name == "front") EXPECT_GT(moved.z(), 0);
      if (name == "back") EXPECT_LT(moved.z(), 0);
      EXPECT_LE(std::abs(moved.z()), 0.1 + 1e-15);
    }
  EXPECT_THROW(compile(parse_scene(R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 ms"},
    "bodies": [{"name": "flag", "mesh": {"cloth": {"size": [1, 1], "cells": [3, 3]}},
      "material": {"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200},
      "start": {"from": "opened", "lift": "10 cm"}}]})")),
               Error);
}

}  // namespace
}  // namespace dashpot::test_cloth_contacts
