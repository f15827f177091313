#include "dashpot/model/tet_batch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

// Large enough to hide the cost of handing out work (10 us of StVK), small enough to feed many threads. A multiple of
// lanes.
constexpr int chunk_size = 128;
constexpr std::size_t max_problems = 10;

/// Derivatives of the shape functions in the reference tet (columns: nodes) at barycentric coordinates b.
Eigen::Matrix<double, 3, Eigen::Dynamic> reference_gradients(int n, const std::array<double, 4>& b) {
  Eigen::Matrix<double, 3, 4> corner;  // gradients of the barycentric coordinates
  corner << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
  if (n == 4) return corner;
  Eigen::Matrix<double, 3, Eigen::Dynamic> all(3, 10);
  for (int a = 0; a < 4; ++a) all.col(a) = (4 * b[static_cast<std::size_t>(a)] - 1) * corner.col(a);
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};  // Gmsh order, as in mesh/mesh.hpp
  for (int e = 0; e < 6; ++e) {
    const int i = edges[e][0], j = edges[e][1];
    all.col(4 + e) =
        4 * (b[static_cast<std::size_t>(i)] * corner.col(j) + b[static_cast<std::size_t>(j)] * corner.col(i));
  }
  return all;
}

/// Barycentric coordinates of quadrature point p; all points weigh the same.
std::array<double, 4> quadrature_point(int n, int p) {
  if (n == 4) return {0.25, 0.25, 0.25, 0.25};
  constexpr double near = 0.58541019662496845446, far = 0.13819660112501051518;  // (5 + 3 sqrt 5)/20, (5 - sqrt 5)/20
  std::array<double, 4> b{far, far, far, far};
  b[static_cast<std::size_t>(p)] = near;
  return b;
}

std::vector<Vec3> centres_of_corners(const std::vector<Vec3>& X, const std::vector<int>& nodes, int n) {
  std::vector<Vec3> centres(nodes.size() / static_cast<std::size_t>(n), Vec3::Zero());
  for (std::size_t t = 0; t < centres.size(); ++t)
    for (std::size_t a = 0; a < 4; ++a)
      centres[t] += 0.25 * X[static_cast<std::size_t>(nodes[t * static_cast<std::size_t>(n) + a])];
  return centres;
}

/// Greedy colours of chunks: no two chunks of one colour share a node. Chunk k holds elements [start[k], start[k+1]).
std::vector<int> colour_chunks(const std::vector<int>& start, const std::vector<int>& order,
                               const std::vector<int>& nodes, int n, std::size_t num_nodes) {
  const std::size_t num_chunks = start.size() - 1;
  std::vector<int> colour(num_chunks, -1);
  std::size_t num_coloured = 0;
  for (int round = 0; num_coloured < num_chunks; ++round) {  // 64 colours a round: one bit each
    std::vector<std::uint64_t> taken(num_nodes, 0);
    for (std::size_t k = 0; k < num_chunks; ++k) {
      if (colour[k] >= 0) continue;
      const auto for_each_node = [&](auto&& visit) {
        for (int i = start[k]; i < start[k + 1]; ++i)
          for (int a = 0; a < n; ++a)
            visit(taken[static_cast<std::size_t>(
                nodes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)] * n + a)])]);
      };
      std::uint64_t used = 0;
      for_each_node([&](std::uint64_t& mask) { used |= mask; });
      if (~used == 0) continue;
      const int bit = __builtin_ctzll(~used);
      for_each_node([&](std::uint64_t& mask) { mask |= std::uint64_t{1} << bit; });
      colour[k] = 64 * round + bit;
      ++num_coloured;
    }
  }
  return colour;
}

void check_input(const std::vector<Vec3>& X, const std::vector<int>& nodes, int n) {
  if (n != 4 && n != 10) throw Error(Problem{"", fmt::format("tets of {} nodes", n), "4 or 10 nodes", ""});
  if (nodes.size() % static_cast<std::size_t>(n) != 0)
    throw Error(Problem{"", fmt::format("{} node indices for tets of {} nodes", nodes.size(), n),
                        fmt::format("a multiple of {}", n), ""});
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < nodes.size() && problems.size() < max_problems; ++k)
    if (nodes[k] < 0 || static_cast<std::size_t>(nodes[k]) >= X.size())
      problems.push_back({fmt::format("tet {}", k / static_cast<std::size_t>(n)),
                          fmt::format("node index {}", nodes[k]), fmt::format("0 <= index < {}", X.size()), ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

TetBatch::TetBatch(const std::vector<Vec3>& X, const std::vector<int>& nodes, int nodes_per_tet, int first_block)
    : nodes_per_tet_(nodes_per_tet), num_points_(nodes_per_tet == 10 ? 4 : 1) {
  check_input(X, nodes, nodes_per_tet);
  num_tets_ = static_cast<int>(nodes.size()) / nodes_per_tet;
  make_order(X, nodes);
  compute_rest_data(X, first_block);
}

void TetBatch::make_order(const std::vector<Vec3>& X, const std::vector<int>& nodes) {
  const std::vector<int> order = math::order_along_curve(centres_of_corners(X, nodes, nodes_per_tet_));

  // The elements that do not fill a pack come last, as a chunk and a colour of their own: all other chunks start on a
  // pack.
  const int num_full = num_tets_ / lanes * lanes;
  std::vector<int> start{0};
  while (start.back() < num_full) start.push_back(std::min(num_full, start.back() + chunk_size));
  const std::vector<int> colour = colour_chunks(start, order, nodes, nodes_per_tet_, X.size());
  const int num_colours = colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;

  chunk_start_ = {0};
  colour_start_ = {0};
  original_.reserve(index(num_tets_));
  std::vector<int> stored_at(start.size());
  const auto append = [&](int begin, int end) {
    original_.insert(original_.end(), order.begin() + begin, order.begin() + end);
    chunk_start_.push_back(static_cast<int>(original_.size()));
  };
  for (int c = 0; c < num_colours; ++c) {
    for (std::size_t k = 0; k + 1 < start.size(); ++k)
      if (colour[k] == c) {
        stored_at[k] = static_cast<int>(original_.size());
        append(start[k], start[k + 1]);
      }
    colour_start_.push_back(static_cast<int>(chunk_start_.size()) - 1);
  }
  if (num_full < num_tets_) {
    append(num_full, num_tets_);
    colour_start_.push_back(static_cast<int>(chunk_start_.size()) - 1);
  }
  for (std::size_t k = 0; k + 1 < start.size(); ++k)
    for (int i = 0; i < start[k + 1] - start[k]; i += lanes) curve_packs_.push_back((stored_at[k] + i) / lanes);
  if (num_full < num_tets_) curve_packs_.push_back(num_full / lanes);
  blocks_.reserve(nodes.size());
  for (const int t : original_)
    for (int a = 0; a < nodes_per_tet_; ++a) blocks_.push_back(nodes[index(t) * index(nodes_per_tet_) + index(a)]);
}

std::vector<int> TetBatch::elements_along_curve() const {
  std::vector<int> elements;
  for (const int pack : curve_packs_)
    for (int i = pack * lanes; i < std::min((pack + 1) * lanes, num_tets_); ++i) elements.push_back(i);
  return elements;
}

void TetBatch::compute_rest_data(const std::vector<Vec3>& X, int first_block) {
  const int n = nodes_per_tet_;
  gradients_.assign(index(num_packs() * num_points_) * index(3 * lanes * n), 0.0);
  weights_.assign(index(num_packs() * num_points_) * lanes, 0.0);
  std::vector<Problem> problems;
  for (int i = 0; i < num_packs() * lanes; ++i) {
    const int element = std::min(i, num_tets_ - 1);
    Eigen::Matrix<double, 3, Eigen::Dynamic> rest(3, n);
    for (int a = 0; a < n; ++a) rest.col(a) = X[index(blocks(element)[a])];
    for (int p = 0; p < num_points_; ++p) {
      const Eigen::Matrix<double, 3, Eigen::Dynamic> reference = reference_gradients(n, quadrature_point(n, p));
      const Mat3 J = rest * reference.transpose();  // dX/d(reference)
      const double det = J.determinant();
      if (i < num_tets_ && !(det > 0) && problems.size() < max_problems)
        problems.push_back({fmt::format("tet {}", original(i)), fmt::format("rest volume {:.6g} m^3", det / 6),
                            "a positive volume", "repair the orientation or remove the tet"});
      const Eigen::Matrix<double, 3, Eigen::Dynamic> g = J.inverse().transpose() * reference;
      double* out = gradients_.data() + index(i / lanes * num_points_ + p) * index(3 * lanes * n) + i % lanes;
      for (int a = 0; a < n; ++a)
        for (int c = 0; c < 3; ++c) out[3 * lanes * a + lanes * c] = g(c, a);
      if (i < num_tets_)
        weights_[index(i / lanes * num_points_ + p) * lanes + index(i % lanes)] = det / 6 / num_points_;
    }
  }
  if (!problems.empty()) throw Error(problems);
  for (int& block : blocks_) block += first_block;
  touched_ = range_of(blocks_);
}

double TetBatch::volume(int i) const {
  double sum = 0;
  for (int p = 0; p < num_points_; ++p) sum += weight(i, p);
  return sum;
}

void TetBatch::bind(const BlockPattern& pattern) {
  const int n = nodes_per_tet_;
  slots_.resize(index(num_tets_) * index(n * n));
  parallel_for(num_tets_, 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          slots_[index(i) * index(n * n) + index(a * n + b)] = pattern.slot(blocks(i)[a], blocks(i)[b]);
  });
}

void TetBatch::for_each_chunk(FunctionRef<void(int, int)> body) const {
  for (std::size_t c = 0; c + 1 < colour_start_.size(); ++c) {
    const int first = colour_start_[c];
    parallel_for(colour_start_[c + 1] - first, 1, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k) body(chunk_start_[index(k)], chunk_start_[index(k + 1)]);
    });
  }
}

double TetBatch::sum_over_chunks(FunctionRef<double(int, int)> body) const {
  std::vector<double> part(chunk_start_.size(), 0.0);
  for (std::size_t c = 0; c + 1 < colour_start_.size(); ++c) {
    const int first = colour_start_[c];
    parallel_for(colour_start_[c + 1] - first, 1, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k)
        part[index(k)] = body(chunk_start_[index(k)], chunk_start_[index(k + 1)]);
    });
  }
  return std::accumulate(part.begin(), part.end(), 0.0);
}

}  // namespace dashpot
