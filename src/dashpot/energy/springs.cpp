#include "dashpot/energy/springs.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

void check(const std::vector<Spring>& springs, std::size_t num_nodes, const std::string& body) {
  std::vector<Problem> problems;
  const auto in_range = [&](int node) { return node >= 0 && at(node) < num_nodes; };
  for (std::size_t e = 0; e < springs.size() && problems.size() < 10; ++e) {
    const Spring& s = springs[e];
    const std::string place = fmt::format("{}: spring {}", body, e);
    if (!in_range(s.a) || !in_range(s.b) || s.a == s.b)
      problems.push_back({place, fmt::format("nodes {} and {}", s.a, s.b),
                          fmt::format("two different nodes below {}", num_nodes), ""});
    if (!(s.stiffness >= 0) || !std::isfinite(s.stiffness))
      problems.push_back({place, fmt::format("stiffness = {:.6g} N/m", s.stiffness), "stiffness >= 0", ""});
    if (!(s.rest_length >= 0) || !std::isfinite(s.rest_length))
      problems.push_back({place, fmt::format("rest length = {:.6g} m", s.rest_length), "rest length >= 0", ""});
  }
  if (!problems.empty()) throw Error(problems);
}

std::vector<int> spring_nodes(const std::vector<Spring>& springs, std::size_t num_nodes, const std::string& body) {
  check(springs, num_nodes, body);
  std::vector<int> nodes;
  for (const Spring& s : springs) nodes.insert(nodes.end(), {s.a, s.b});
  return nodes;
}

std::vector<double> ends_of(std::size_t count) {
  std::vector<double> coefficients;
  for (std::size_t e = 0; e < count; ++e) coefficients.insert(coefficients.end(), {-1, 1});
  return coefficients;
}

std::vector<double> of_springs(const std::vector<Spring>& springs, double Spring::*value) {
  std::vector<double> values;
  for (const Spring& s : springs) values.push_back(s.*value);
  return values;
}

}  // namespace

Springs::Springs(std::string body, const std::vector<Spring>& springs, const std::vector<Vec3>& X, int first_block)
    : LineElasticity(body,
                     std::make_shared<LineBatch>(2, spring_nodes(springs, X.size(), body), ends_of(springs.size()), X,
                                                 first_block),
                     of_springs(springs, &Spring::stiffness), of_springs(springs, &Spring::rest_length), X,
                     first_block),
      nodes_{first_block, first_block + static_cast<int>(X.size())} {}

std::vector<Spring> Springs::along_edges(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness) {
  std::vector<Spring> springs;
  for (std::size_t k = 0; k + 1 < edges.size(); k += 2)
    springs.push_back({edges[k], edges[k + 1], stiffness, (X[at(edges[k + 1])] - X[at(edges[k])]).norm()});
  return springs;
}

std::shared_ptr<EnergyTerm> Springs::remade(const double* values, const Replacements&) const {
  if (!changes(values)) return nullptr;
  auto successor = std::make_shared<Springs>(*this);
  successor->set_values(values);
  return successor;
}

}  // namespace dashpot
