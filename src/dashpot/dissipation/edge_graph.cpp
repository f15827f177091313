#include "dashpot/dissipation/edge_graph.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/math/largest_eigenvalue.hpp"

namespace dashpot {

EdgeGraph::EdgeGraph(Edges edges, const std::vector<double>& masses) : edges_(std::move(edges)) {
  const int num_nodes = static_cast<int>(masses.size());
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < masses.size(); ++i)
    if (!(masses[i] >= 0 && std::isfinite(masses[i])))
      problems.push_back({fmt::format("node {}", i), fmt::format("mass = {} kg", masses[i]), "a finite mass >= 0", ""});
  for (const auto& [i, j] : edges_)
    if (std::min(i, j) < 0 || std::max(i, j) >= num_nodes)
      problems.push_back(
          {"", fmt::format("an edge between nodes {} and {}", i, j), fmt::format("nodes 0 to {}", num_nodes - 1), ""});
  if (!problems.empty()) throw Error(std::move(problems));
  for (const double m : masses) inverse_mass_.push_back(m > 0 ? 1 / m : 0);
  std::erase_if(edges_, [&](const std::array<int, 2>& e) {
    return e[0] == e[1] || masses[static_cast<std::size_t>(e[0])] == 0 || masses[static_cast<std::size_t>(e[1])] == 0;
  });
}

std::vector<double> EdgeGraph::degree_over_mass() const {
  std::vector<double> result(inverse_mass_.size(), 0.0);
  for (const auto& edge : edges_)
    for (const int i : edge) result[static_cast<std::size_t>(i)] += inverse_mass_[static_cast<std::size_t>(i)];
  return result;
}

double EdgeGraph::edge_bound() const {
  const std::vector<double> d = degree_over_mass();
  double bound = 0;
  for (const auto& [i, j] : edges_)
    bound = std::max(bound, d[static_cast<std::size_t>(i)] + d[static_cast<std::size_t>(j)]);
  return bound;
}

double EdgeGraph::node_bound() const {
  const std::vector<double> d = degree_over_mass();
  return d.empty() ? 0 : 2 * *std::max_element(d.begin(), d.end());
}

double EdgeGraph::lambda_max() const {
  const Vector w = Eigen::Map<const Vector>(inverse_mass_.data(), num_nodes());
  const auto edge_forces = [this](const Vector& v, Vector& f) {
    f.setZero();
    for (const auto& [i, j] : edges_) {
      const double difference = v[i] - v[j];
      f[i] += difference;
      f[j] -= difference;
    }
  };
  const auto divide = [&w](const Vector& p, Vector& v) { v = w.cwiseProduct(p); };
  // Momenta m v: nodes without mass have none, and take no part.
  Vector start = math::lanczos_start(num_nodes());
  for (Eigen::Index i = 0; i < start.size(); ++i) start[i] = w[i] > 0 ? start[i] / std::sqrt(w[i]) : 0;
  const math::LargestEigenvalue found =
      math::largest_eigenvalue(start, edge_forces, divide, {.tolerance = 1e-9, .max_steps = 300});
  return std::min(found.value + found.residual, edge_bound());
}

}  // namespace dashpot
