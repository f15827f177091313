#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_attachments {
namespace {

/// Two half beams from x = 0 to 0.5 and from `seam` on; the second is attached to the first where they meet.
std::string halves(const std::string& cells, const std::string& seam, const std::string& attachment) {
  const std::string material =
      R"("material": {"model": "corotational", "young": "1 MPa", "poisson": 0.3, "density": 1000})";
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "0.1 s", "stepper": "midpoint"}, "bodies": [
    {"name": "first", "mesh": {"bar": {"size": [0.5, 0.1, 0.1], "cells": [4, 1, 1], "split": "kuhn"}}, )" +
         material + R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]},
    {"name": "second", "mesh": {"bar": {"size": [0.5, 0.1, 0.1], "cells": )" +
         cells + R"(, "split": "kuhn"}}, "place": {"translate": [)" + seam + ", 0, 0]}, " + material + R"(}],
    "attachments": [)" +
         attachment + "]}";
}
std::string seam_at(const std::string& seam, const std::string& more = "") {
  return R"({"body": "second", "where": {"box": [[)" + seam + " , -1, -1], [0.5011, 1, 1]]}, \"to\": \"first\", " +
         R"("within": "2 mm")" + more + "}";
}
const char* const whole_beam =
    R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "0.1 s", "stepper": "midpoint"}, "bodies": [
    {"name": "beam", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [8, 1, 1], "split": "kuhn"}},
     "material": {"model": "corotational", "young": "1 MPa", "poisson": 0.3, "density": 1000},
     "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})";

/// Position of the node at X.
Vec3 node_at(const CompiledScene& scene, const Vector& q, const Vec3& X) {
  for (int i = 0; i < q.size() / 3; ++i)
    if ((scene.system->rest().segment<3>(3 * i) - X).norm() < 1e-9) return q.segment<3>(3 * i);
  ADD_FAILURE() << "no node there";
  return Vec3::Zero();
}

Vector sagged(const CompiledScene& scene) {
  State state = scene.start;
  StaticOptions options;
  options.tolerance = 1e-11;
  EXPECT_TRUE(solve_static(*scene.system, state, {}, options).converged);
  return state.q;
}

std::string refusal(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "scene.json", "").problems) all += problem.text() + "\n";
  return all;
}

TEST(Attachments, GluedHalfBeamsStartTogetherInTheEquilibriumOfTheWhole) {
  const std::string start = R"("start": {"from": "equilibrium"}, "material")";
  std::string whole_text = whole_beam, glued_text = halves("[4, 1, 1]", "0.5", seam_at("0.499"));
  whole_text.replace(whole_text.find("\"material\""), 10, start);
  const std::size_t second = glued_text.rfind("\"material\"");
  std::string mixed = glued_text;
  mixed.replace(second, 10, start);
  EXPECT_THROW(compile(parse_scene(mixed)), Error) << "the other half would start from rest";
  glued_text = mixed.replace(mixed.find("\"material\""), 10, start);
  const CompiledScene whole = compile(parse_scene(whole_text)), glued = compile(parse_scene(glued_text));
  const Vec3 tip(1, 0.1, 0), bent = node_at(whole, whole.start.q, tip);
  EXPECT_LT(bent.y(), 0.1 - 1e-3) << "it sags";
  EXPECT_LT((node_at(glued, glued.start.q, tip) - bent).norm(), 1e-6);
  EXPECT_LT(glued.start.a.lpNorm<Eigen::Infinity>(), 1e-3 * 9.81) << "nothing is out of balance";
  std::string rung = halves("[4, 1, 1]", "0.5", seam_at("0.499"));
  rung.replace(rung.rfind("\"material\""), 10, R"("start": {"from": "mode", "amplitude": "1 mm"}, "material")");
  EXPECT_THROW(compile(parse_scene(rung)), Error);
}

TEST(Attachments, GluedBodiesDoNotPressOnEachOtherAtTheSeam) {
  const auto contact_energy = [](const std::string& cells, const std::string& attachment) {
    std::string text = halves(cells, "0.5", attachment);
    text.insert(text.rfind('}'), R"(, "contacts": [{"thickness": "2 mm"}])");
    const CompiledScene scene = compile(parse_scene(text));
    double energy = 0;
    for (const auto& term : scene.system->energies())
      if (term->kind() == EnergyKind::contact) energy += term->evaluate({scene.start.q});
    return energy;
  };
  for (const char* cells : {"[4, 1, 1]", "[4, 2, 2]", "[2, 3, 3]"}) {
    EXPECT_GT(contact_energy(cells, ""), 1e-3) << "side by side they do";
    EXPECT_EQ(contact_energy(cells, seam_at("0.499")), 0) << cells;
  }
}

TEST(Attachments, TwoMatchingHalfBeamsAreOneBeam) {
  const CompiledScene whole = compile(parse_scene(whole_beam));
  const CompiledScene glued = compile(parse_scene(halves("[4, 1, 1]", "0.5", seam_at("0.499"))));
  EXPECT_EQ(glued.system->ties().size(), 4);
  const Vec3 tip(1, 0.1, 0);
  const Vec3 expected = node_at(whole, sagged(whole), tip);
  EXPECT_GT((expected - tip).norm(), 0.05);
  EXPECT_LT((node_at(glued, sagged(glued), tip) - expected).norm(), 1e-9);

  ModesOptions options;
  options.num_modes = 4;
  const ModesResult a = system_modes(*whole.system, whole.start, options);
  const ModesResult b = system_modes(*glued.system, glued.start, options);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(b.frequencies[i], a.frequencies[i], 1e-8 * a.frequencies[i]);
  Vector shape = b.shapes.col(0);
  glued.system->ties().follow(shape);
  EXPECT_EQ(shape, b.shapes.col(0)) << "tied nodes take part in a mode";
}

TEST(Attachments, BeamsOfOtherMeshesBendAlmostAlike) {
  const CompiledScene whole = compile(parse_scene(whole_beam));
  const double expected = 1e-9 + node_at(whole, sagged(whole), Vec3(1, 0, 0)).y();
  // A finer second half (softer), its end face inside the coarse first one's; and one with a gap of a millimeter.
  for (const std::string seam : {"0.5", "0.501"}) {
    const CompiledScene glued = compile(parse_scene(halves("[6, 2, 2]", seam, seam_at("0.499"))));
    EXPECT_EQ(glued.system->ties().size(), 9);
    const Vec3 tip(0.5 + std::stod(seam), 0, 0);
    const double found = node_at(glued, sagged(glued), tip).y();
    EXPECT_LT(expected, -0.05);
    EXPECT_NEAR(found, expected, 0.35 * std::abs(expected));
    EXPECT_LT(found, expected) << "more freedom, more sag";
  }
}

TEST(Attachments, AGapTurnsWithTheBodyItIsAGapTo) {
  // Points outside a tet follow its affine map: a rigid turn of the first body turns the gap.
  const CompiledScene glued = compile(parse_scene(halves("[4, 2, 2]", "0.501", seam_at("0.499"))));
  Vector q = glued.system->rest();
  const double c = std::cos(1.2), s = std::sin(1.2);
  const auto turn = [&](const Vec3& x) { return Vec3(c * x.x() - s * x.y(), s * x.x() + c * x.y(), x.z()); };
  for (int i = 0; i < q.size() / 3; ++i) q.segment<3>(3 * i) = turn(q.segment<3>(3 * i));
  Vector placed = q;
  glued.system->ties().place(placed);
  EXPECT_LT((placed - q).norm(), 1e-12);

  const CompiledScene closed =
      compile(parse_scene(halves("[4, 2, 2]", "0.501", seam_at("0.499", R"(, "gap": "close")"))));
  Vector snapped = closed.system->rest();
  closed.system->ties().place(snapped);
  const double moved = (snapped - closed.system->rest()).lpNorm<Eigen::Infinity>();
  EXPECT_NEAR(moved, 1e-3, 5e-4);
}

TEST(Attachments, ImpossibleOnesAreRefusedByName) {
  const auto mentions = [](const std::string& text, const std::string& what) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  EXPECT_EQ(refusal(halves("[4, 1, 1]", "0.5", seam_at("0.499"))), "");
  mentions(halves("[4, 1, 1]", "0.51", seam_at("0.499", "")), "selects no node");
  mentions(halves("[4, 1, 1]", "0.5", R"({"body": "second", "where": "all", "to": "first", "within": "2 mm"})"),
           "m away from \"first\"");
  mentions(halves("[4, 1, 1]", "0.5", R"({"body": "secnd", "where": "all", "to": "first", "within": 1})"),
           "Did you mean \"second\"");
  mentions(halves("[4, 1, 1]", "0.5", R"({"body": "first", "where": "all", "to": "first", "within": 1})"), "itself");
  mentions(halves("[4, 1, 1]", "0.5", seam_at("0.499") + "," + seam_at("0.499")), "attached twice");
  mentions(halves("[4, 1, 1]", "0.5", R"({"body": "first", "where": "all", "to": "second", "within": 1})"),
           "attached and pinned");
  mentions(
      halves("[4, 1, 1]", "0.5",
             seam_at("0.499") +
                 R"(, {"body": "first", "where": {"box": [[0.499, -1, -1], [1, 1, 1]]}, "to": "second", "within": 1})"),
      "circle");
}

}  // namespace
}  // namespace dashpot::test_attachments
