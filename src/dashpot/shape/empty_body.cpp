#include "dashpot/shape/empty_body.hpp"

#include <fmt/format.h>

#include "dashpot/core/json_document.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/shape/body_estimate.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

bool is_empty(const Field& field, int node, double level = 0) {
  const FieldBounds bounds = field.bounds(node, level);
  if (bounds.is_infinite) return false;
  if (bounds.is_empty || !bounds.low.allFinite() || !bounds.high.allFinite()) return true;
  return !find_inside(LocalField(field, node), bounds, level).has_inside;
}

/// The lowest empty node below an empty one whose own parts are not empty.
int culprit(const Field& field, int n) {
  const FieldNode& node = field.nodes[at(n)];
  for (const int child : node.children) {
    if (is_empty(field, child)) return culprit(field, child);
    if (node.kind == Kind::subtract) break;  // what is taken away may be empty
  }
  return n;
}

}  // namespace

Problem empty_body_problem(const Field& field, int root, const std::string& file) {
  const int n = culprit(field, root);
  const FieldNode& node = field.nodes[at(n)];
  Problem problem{place_text(file, node.line, node.column), "an empty body: no point lies inside",
                  "a body with a volume", ""};
  if (node.grow < 0 && !is_empty(field, n, -node.scale * node.grow)) {
    problem.found += fmt::format("; \"grow\": {:g} takes more off than there is", node.grow);
    problem.remedy = "erode by less than half the thickness";
  } else if (node.kind == Kind::intersect) {
    problem.found += "; the parts of this intersection have no point in common";
    problem.remedy = "move them together, or join them with a union";
  } else if (node.kind == Kind::subtract) {
    problem.found += "; what this difference takes away covers all of its first body";
    problem.remedy = "make the bodies after the first smaller, or change their order";
  }
  return problem;
}

}  // namespace dashpot
