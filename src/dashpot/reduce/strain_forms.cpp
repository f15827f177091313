#include "dashpot/reduce/strain_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/spin_team.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int points_per_batch = 48;  // 288 columns: two tiles of W stay in L2 while they are multiplied
constexpr int tile = 192;             // rows of W that are multiplied with another tile at a time
constexpr int pair_ranges = 8;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

int num_pairs(int n) { return n * (n + 1) / 2; }

/// Half the strain energy at a point is |w|^2 / 2 summed over six numbers w = L e: e are the Voigt strains.
struct StrainWeights {
  double same, trace, shear;
  StrainWeights(double volume, double lambda, double mu)
      : same(std::sqrt(2 * mu * volume)),
        trace((std::sqrt((2 * mu + 3 * lambda) * volume) - std::sqrt(2 * mu * volume)) / 3),
        shear(std::sqrt(4 * mu * volume)) {}
};

class PairColumns {
 public:
  explicit PairColumns(const StrainInput& input)
      : input_(input), n_(static_cast<int>(input.basis.cols()) + 1), rows_(input.rest.size(), n_) {
    rows_.col(0) = input.rest;
    rows_.rightCols(n_ - 1) = input.basis;
  }
  int num_variables() const { return n_; }
  int num_points() const { return input_.batch.num_tets() * input_.batch.num_points(); }

  /// Six columns of W for a quadrature point: L e_P for all pairs P.
  void fill(int point, Eigen::Ref<Matrix> W) const {
    const TetBatch& batch = input_.batch;
    const int tet = point / batch.num_points(), p = point % batch.num_points();
    const std::size_t element = at(batch.original(tet));
    const StrainWeights weights(batch.weight(tet, p), input_.lambda[element], input_.mu[element]);
    Matrix A = Matrix::Zero(n_, 9);  // column 3 i + j: entry (i, j) of A_a for all a
    for (int k = 0; k < batch.nodes_per_tet(); ++k) {
      const Vec3 g = batch.gradient(tet, p, k);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) A.col(3 * i + j) += g[j] * rows_.row(3 * batch.blocks(tet)[k] + i).transpose();
    }
    int row = 0;
    for (int a = 0; a < n_; row += n_ - a, ++a) fill_rows(A, a, weights, W.middleRows(row, n_ - a));
  }

 private:
  /// Pairs (a, a), (a, a+1), ..., (a, n-1).
  void fill_rows(const Matrix& A, int a, const StrainWeights& weights, Eigen::Ref<Matrix> W) const {
    const int count = n_ - a;
    const auto product = [&](int j, int k) {  // (A_a^T A_b)_jk for all b >= a
      return A(a, j) * A.col(k).tail(count) + A(a, 3 + j) * A.col(3 + k).tail(count) +
             A(a, 6 + j) * A.col(6 + k).tail(count);
    };
    for (int j = 0; j < 3; ++j) W.col(j) = product(j, j);
    W.col(3) = 0.5 * (product(0, 1) + product(1, 0));
    W.col(4) = 0.5 * (product(0, 2) + product(2, 0));
    W.col(5) = 0.5 * (product(1, 2) + product(2, 1));
    W.row(0) *= 0.5;                                // z_a^2 appears once in E, z_a z_b twice
    if (a == 0) W.row(0).head<3>().array() -= 0.5;  // E = (F^T F - I z_0^2) / 2
    for (int i = 0; i < count; ++i) {
      const double trace = weights.trace * (W(i, 0) + W(i, 1) + W(i, 2));
      for (int j = 0; j < 3; ++j) W(i, j) = weights.same * W(i, j) + trace;
      for (int j = 3; j < 6; ++j) W(i, j) *= weights.shear;
    }
  }

  StrainInput input_;
  int n_;
  RowMatrix rows_;  ///< (X, Phi), row by row
};

/// Upper tiles of T += W W^T.
void add_products(const Matrix& W, Eigen::Index columns, Matrix& T) {
  const int size = static_cast<int>(T.rows()), tiles = (size + tile - 1) / tile;
  parallel_for(num_pairs(tiles), 1, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      int i = 0, first = 0;
      while (t >= first + tiles - i) first += tiles - i++;
      const int j = i + t - first;
      const int rows = std::min(tile, size - i * tile), cols = std::min(tile, size - j * tile);
      T.block(i * tile, j * tile, rows, cols).noalias() +=
          W.block(i * tile, 0, rows, columns) * W.block(j * tile, 0, cols, columns).transpose();
    }
  });
}

QuarticForm fold(int n, const Matrix& T) {
  QuarticForm form(n);
  int P = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b, ++P) {
      int Q = 0;
      for (int c = 0; c < n; ++c)
        for (int d = c; d < n; ++d, ++Q) {
          if (Q < P) continue;
          std::array<int, 4> k{a, b, c, d};
          std::sort(k.begin(), k.end());
          form.coefficient(k[0], k[1], k[2], k[3]) += P == Q ? 0.5 * T(P, Q) : T(P, Q);
        }
    }
  return form;
}

void check(const StrainInput& input) {
  const Eigen::Index columns = input.basis.cols();
  if (columns < 1 || columns > max_subspace)
    throw Error(Problem{"", fmt::format("a reduced basis of {} vectors", columns),
                        fmt::format("1 to {} for exact St. Venant-Kirchhoff polynomials", max_subspace),
                        "their number grows with the fourth power: take fewer vectors"});
}

}  // namespace

std::optional<StrainForms> strain_forms(const StrainInput& input, const PrecomputeHooks& hooks) {
  check(input);
  const PairColumns columns(input);
  const int n = columns.num_variables(), num_points = columns.num_points();
  Matrix T = Matrix::Zero(num_pairs(n), num_pairs(n)), W(num_pairs(n), 6 * points_per_batch);
  for (int first = 0; first < num_points; first += points_per_batch) {
    if (hooks.stopped()) return std::nullopt;
    hooks.report("strain polynomials", static_cast<double>(first) / num_points);
    const int count = std::min(points_per_batch, num_points - first);
    parallel_for(count, 4, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) columns.fill(first + i, W.middleCols(6 * i, 6));
    });
    add_products(W, 6 * count, T);
  }
  StrainForms forms{fold(n, T), {}};
  if (input.keep_pairs) forms.pairs = PairForm(n, T);
  hooks.report("strain polynomials", 1);
  return forms;
}

PairForm::PairForm(int num_variables, const Matrix& T) : num_variables_(num_variables) {
  const int size = num_pairs(num_variables);
  values_.resize(static_cast<Eigen::Index>(size) * (size + 1) / 2);
  double* value = values_.data();
  for (int P = 0; P < size; ++P)
    for (int Q = P; Q < size; ++Q) *value++ = T(P, Q);
}

bool PairForm::set_values(int num_variables, Vector values) {
  const Eigen::Index size = num_pairs(num_variables);
  if (values.size() != size * (size + 1) / 2) return false;
  num_variables_ = num_variables;
  values_ = std::move(values);
  return true;
}

void PairForm::geometric(const ConstVectorRef& z, Matrix& G) const {
  const int n = num_variables_, size = num_pairs(n);
  Vector monomial(size);
  for (int a = 0, P = 0; a < n; ++a)
    for (int b = a; b < n; ++b) monomial[P++] = z[a] * z[b];
  // Ranges of rows with equal numbers of entries; each has a sum of its own.
  std::array<int, pair_ranges + 1> start{};
  for (int r = 0; r <= pair_ranges; ++r)
    start[at(r)] = static_cast<int>(std::lround(size * (1 - std::sqrt(1 - static_cast<double>(r) / pair_ranges))));
  Matrix parts = Matrix::Zero(size, pair_ranges);
  spin_parallel_for(pair_ranges, [&](int r) {
    for (int P = start[at(r)]; P < start[at(r) + 1]; ++P) {
      const std::size_t first = at(P) * at(size) - at(P) * at(P - 1) / 2;
      const int rest = size - P - 1;
      const Eigen::Map<const Vector> row(values_.data() + first + 1, rest);
      parts(P, r) += values_.data()[first] * monomial[P] + row.dot(monomial.tail(rest));
      parts.col(r).tail(rest) += monomial[P] * row;
    }
  });
  const Vector sum = parts.rowwise().sum();
  G.resize(n, n);
  for (int a = 0, P = 0; a < n; ++a)
    for (int b = a; b < n; ++b, ++P) G(a, b) = G(b, a) = a == b ? 2 * sum[P] : sum[P];
}

}  // namespace dashpot
