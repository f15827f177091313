#pragma once
// A bar of linear tets (six per cell, Kuhn) with its linear-elastic stiffness and mass as block matrices: what a linear
// solver meets in a time step, without needing the mesh and energy rooms.
#include <array>
#include <memory>
#include <vector>

#include <Eigen/LU>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot::testing {

struct TetBarOptions {
  std::array<int, 3> cells{40, 4, 4};
  Vec3 size{1.0, 0.1, 0.1};  ///< [m]
  double young = 1e6;        ///< [Pa]
  double poisson = 0.4;
  double density = 1000;  ///< [kg/m^3]
  bool lumped_mass = false;
};

struct TetBar {
  std::vector<Vec3> nodes;  ///< [m]; those with x = 0 come first
  std::vector<std::array<int, 4>> tets;
  std::shared_ptr<const BlockPattern> pattern;
  BlockMatrix K;  ///< stiffness at rest [N/m]
  BlockMatrix M;  ///< mass [kg]

  /// 1 for every dof, 0 for those at x = 0 when `clamped`.
  std::vector<std::uint8_t> free_dofs(bool clamped) const {
    std::vector<std::uint8_t> is_free(3 * nodes.size(), 1);
    for (std::size_t i = 0; clamped && i < nodes.size(); ++i)
      if (nodes[i].x() == 0) is_free[3 * i] = is_free[3 * i + 1] = is_free[3 * i + 2] = 0;
    return is_free;
  }
  /// mass_scale M + stiffness_scale K, the matrix of an implicit step.
  BlockMatrix step_matrix(double mass_scale, double stiffness_scale = 1) const {
    BlockMatrix A(pattern);
    A.add_scaled(mass_scale, M);
    A.add_scaled(stiffness_scale, K);
    return A;
  }
};

inline void add_tet(const TetBarOptions& options, const std::array<int, 4>& tet, TetBar& bar) {
  Mat3 edges;
  for (int c = 0; c < 3; ++c)
    edges.col(c) = bar.nodes[static_cast<std::size_t>(tet[static_cast<std::size_t>(c) + 1])] -
                   bar.nodes[static_cast<std::size_t>(tet[0])];
  const double volume = edges.determinant() / 6;
  Eigen::Matrix<double, 3, 4> gradient;
  gradient.rightCols<3>() = edges.inverse().transpose();
  gradient.col(0) = -gradient.rightCols<3>().rowwise().sum();
  const double mu = options.young / (2 * (1 + options.poisson));
  const double lambda = options.young * options.poisson / ((1 + options.poisson) * (1 - 2 * options.poisson));
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const int slot = bar.pattern->slot(tet[static_cast<std::size_t>(a)], tet[static_cast<std::size_t>(b)]);
      const Vec3 ga = gradient.col(a), gb = gradient.col(b);
      Eigen::Map<Mat3>(bar.K.block(slot)) +=
          volume * (lambda * ga * gb.transpose() + mu * gb * ga.transpose() + mu * ga.dot(gb) * Mat3::Identity());
      const double share = options.lumped_mass ? (a == b ? 0.25 : 0.0) : (a == b ? 0.1 : 0.05);
      Eigen::Map<Mat3>(bar.M.block(slot)) += options.density * volume * share * Mat3::Identity();
    }
}

inline TetBar make_tet_bar(const TetBarOptions& options) {
  TetBar bar;
  const auto [nx, ny, nz] = options.cells;
  const auto node = [ny = ny, nz = nz](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        bar.nodes.push_back({options.size.x() * i / nx, options.size.y() * j / ny, options.size.z() * k / nz});
  constexpr int axis_orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  std::vector<int> start{0}, couplings;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (int order = 0; order < 6; ++order) {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> tet{node(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[static_cast<std::size_t>(axis_orders[order][step])];
            tet[step + 1] = node(at[0], at[1], at[2]);
          }
          if (order >= 3) std::swap(tet[2], tet[3]);  // odd permutations are left-handed
          bar.tets.push_back(tet);
          couplings.insert(couplings.end(), tet.begin(), tet.end());
          start.push_back(static_cast<int>(couplings.size()));
        }
  bar.pattern = std::make_shared<BlockPattern>(3, static_cast<int>(bar.nodes.size()), start, couplings);
  bar.K = BlockMatrix(bar.pattern);
  bar.M = BlockMatrix(bar.pattern);
  for (const auto& tet : bar.tets) add_tet(options, tet, bar);
  return bar;
}

}  // namespace dashpot::testing
