#include "dashpot/scene/assembly/attachments.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dashpot/mesh/embedding.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"

namespace dashpot {
namespace {

constexpr double same_place = 1e-9;   // of the size of the body: nodes of matching meshes
constexpr double negligible = 1e-12;  // weights that only couple what need not be coupled

const Vec3& node_of(const Mesh& mesh, int node) { return mesh.nodes[static_cast<std::size_t>(node)]; }

/// A point of a triangle: barycentric coordinates of the point nearest to x.
Vec3 nearest_in_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  const double area2 = normal.squaredNorm();
  if (area2 > 0) {
    const Vec3 inside((b - x).cross(c - x).dot(normal) / area2, (c - x).cross(a - x).dot(normal) / area2,
                      (a - x).cross(b - x).dot(normal) / area2);
    if (inside.minCoeff() >= 0) return inside;
  }
  const Vec3* corner[] = {&a, &b, &c};
  Vec3 best = Vec3::Zero();
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {  // on the border
    const Vec3 &p = *corner[k], &q = *corner[(k + 1) % 3];
    const double length2 = (q - p).squaredNorm();
    const double s = length2 > 0 ? std::clamp((x - p).dot(q - p) / length2, 0.0, 1.0) : 0.0;
    const double distance = (x - p - s * (q - p)).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    best.setZero();
    best[k] = 1 - s;
    best[(k + 1) % 3] = s;
  }
  return best;
}

Tie to_triangle(int node, const Vec3& x, const Mesh& to, const ElementGroup& triangles) {
  Tie tie{node, {}, {}, {}};
  double nearest = std::numeric_limits<double>::infinity();
  for (int e = 0; e < triangles.size(); ++e) {
    const int* t = triangles.element(e);
    const Vec3 &a = node_of(to, t[0]), &b = node_of(to, t[1]), &c = node_of(to, t[2]);
    const Vec3 w = nearest_in_triangle(x, a, b, c);
    const double distance = (x - w[0] * a - w[1] * b - w[2] * c).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    tie.masters.assign(t, t + 3);
    tie.weights.assign(w.data(), w.data() + 3);
  }
  return tie;
}

Vec3 followed_point(const Tie& tie, const Mesh& to) {
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < tie.masters.size(); ++k) x += tie.weights[k] * node_of(to, tie.masters[k]);
  return x;
}

/// Drops weights that are round-off, and where the gap is to be closed those of a point outside.
void tidy(Tie& tie, bool inside_only) {
  Tie kept{tie.block, {}, {}, {}};
  double sum = 0;
  for (std::size_t k = 0; k < tie.masters.size(); ++k) {
    if (std::abs(tie.weights[k]) < negligible || (inside_only && tie.weights[k] < 0)) continue;
    kept.masters.push_back(tie.masters[k]);
    kept.weights.push_back(tie.weights[k]);
    sum += tie.weights[k];
  }
  for (double& weight : kept.weights) weight /= sum;
  tie = std::move(kept);
}

[[noreturn]] void too_far(const AttachmentSpec& attachment, int node, const Vec3& x, double distance) {
  throw Error(Problem{attachment.settings.place("within"),
                      fmt::format("node {} at ({:.4g}, {:.4g}, {:.4g}) m is {:.4g} m away from \"{}\"", node, x.x(),
                                  x.y(), x.z(), distance, attachment.settings.text("to")),
                      fmt::format("at most {:.4g} m", attachment.within),
                      "Narrow \"where\", move one of the bodies, or allow more with \"within\""});
}

}  // namespace

std::vector<Tie> attachment_ties(const AttachmentSpec& attachment, const Mesh& body, const Mesh& to) {
  const std::vector<int> nodes = select_nodes(attachment.where, body);
  const double size = bounding_box(to.nodes).diagonal();
  const bool to_tets = !attachment.to_nodes && to.tets() != nullptr;
  const ElementGroup* triangles = attachment.to_nodes ? nullptr : to.group(ElementKind::triangle);
  std::vector<Vec3> points;
  for (const int node : nodes) points.push_back(node_of(body, node));
  Embedding embedding;
  if (to_tets) embedding = embed_points(to, points);
  if (to_tets && embedding.largest_distance > attachment.within) {
    const std::size_t i = static_cast<std::size_t>(embedding.farthest_point);
    too_far(attachment, nodes[i], points[i], embedding.largest_distance);
  }
  std::vector<Tie> ties;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3& x = points[i];
    const int nearest = nearest_node(to, x);
    Tie tie{nodes[i], {nearest}, {1.0}, {}};
    const bool matches = (x - node_of(to, nearest)).norm() <= same_place * size;
    if (!matches && to_tets) {
      const std::size_t n = static_cast<std::size_t>(embedding.num_weights);
      tie.masters.assign(&embedding.nodes[n * i], &embedding.nodes[n * i] + n);
      tie.weights.assign(&embedding.weights[n * i], &embedding.weights[n * i] + n);
      tidy(tie, attachment.close_gap);
    } else if (!matches && triangles != nullptr) {
      tie = to_triangle(nodes[i], x, to, *triangles);
      tidy(tie, true);
    }
    const Vec3 gap = x - followed_point(tie, to);
    if (!to_tets && gap.norm() > attachment.within) too_far(attachment, nodes[i], x, gap.norm());
    if (!attachment.close_gap && gap.norm() > same_place * size) {
      tie.offset.resize(3);
      tie.offset.head<3>() = gap;
    }
    ties.push_back(std::move(tie));
  }
  return ties;
}

void check_attachments(const SceneSpec& spec, std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  std::vector<int> first{0};
  for (const BodySpec& body : spec.bodies) first.push_back(first.back() + build_mesh(body)->num_nodes());
  std::map<int, const AttachmentSpec*> tied;  // by block
  std::vector<Tie> all;
  for (const AttachmentSpec& attachment : spec.attachments) {
    const BodySpec &body = spec.bodies[attachment.body], &to = spec.bodies[attachment.to];
    try {
      for (Tie& tie : attachment_ties(attachment, *build_mesh(body), *build_mesh(to))) {
        const int node = tie.block;
        tie.block += first[attachment.body];
        for (int& master : tie.masters) master += first[attachment.to];
        if (!tied.emplace(tie.block, &attachment).second) {
          problems.push_back({attachment.where.settings.place(),
                              fmt::format("node {} of \"{}\" is attached twice", node, body.name),
                              "one attachment for each node", "Narrow one of the selections"});
          break;
        }
        all.push_back(std::move(tie));
      }
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  for (std::size_t b = 0; b < spec.bodies.size() && problems.size() == before; ++b)
    for (const PinSpec& pin : spec.bodies[b].pins)
      for (const int node : select_nodes(pin.where, *build_mesh(spec.bodies[b])))
        if (const auto found = tied.find(first[b] + node); found != tied.end()) {
          problems.push_back({found->second->where.settings.place(),
                              fmt::format("node {} of \"{}\" is attached and pinned", node, spec.bodies[b].name),
                              "one of the two", "Pin what it follows, or narrow one of the selections"});
          break;
        }
  if (problems.size() > before || all.empty()) return;
  try {
    Ties(DofLayout(3, first.back()), all);
  } catch (const Error& error) {
    for (Problem problem : error.problems()) {
      problem.place = spec.attachments.front().settings.place();
      problems.push_back(std::move(problem));
    }
  }
}

}  // namespace dashpot
