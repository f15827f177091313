#pragma once
// Three crossings of a batch: bends along a yarn (a from the first to the middle one, b on to the last, L between their
// labels) and corners (a and b from the first to the two others). For .cpp files of this room.

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/yarn/formula/bend.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

/// How (a, b) and L are made of three nodes: a = sum_k place[0][k] x_k, b = sum_k place[1][k] x_k, L = sum_k label[k]
/// u_k.
struct BendShape {
  double place[2][3], label[3];
};
inline constexpr BendShape bend_along = {{{-1, 1, 0}, {0, -1, 1}}, {-1, 0, 1}};
inline constexpr BendShape corner_from = {{{-1, 1, 0}, {-1, 0, 1}}, {0, 0, 0}};

inline formula::Bend<double> bend_difference(const YarnBatch& batch, const BendShape& shape, const Vector& v, int i) {
  formula::Bend<double> bend{};
  const int label = label_of(batch.family(i));
  for (int k = 0; k < 3; ++k) {
    const double* x = v.data() + batch.offset(i, k);
    const math::Vector3<double> place = {x[0], x[1], x[2]};
    bend.a = bend.a + shape.place[0][k] * place;
    bend.b = bend.b + shape.place[1][k] * place;
    bend.L += shape.label[k] * x[label];
  }
  return bend;
}
inline formula::Bend<double> bend_at(const YarnBatch& batch, const BendShape& shape, const Vector& q, int i) {
  formula::Bend<double> bend = bend_difference(batch, shape, q, i);
  bend.L += batch.shift(i);
  return bend;
}

/// out += the force of a gradient in (a, b, L).
inline void add_bend_force(const YarnBatch& batch, const BendShape& shape, int i,
                           const formula::BendGradient<double>& g, Vector& out) {
  const int label = label_of(batch.family(i));
  for (int k = 0; k < 3; ++k) {
    double* f = out.data() + batch.offset(i, k);
    for (int c = 0; c < 3; ++c) f[c] += shape.place[0][k] * g.a[c] + shape.place[1][k] * g.b[c];
    f[label] += shape.label[k] * g.L;
  }
}

/// g as numbers of the three nodes: (x, y, z, label) each.
inline void nodal(const BendShape& shape, const formula::BendGradient<double>& g, double out[12]) {
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) out[4 * k + c] = shape.place[0][k] * g.a[c] + shape.place[1][k] * g.b[c];
    out[4 * k + 3] = shape.label[k] * g.L;
  }
}

/// Sums of squares factor g g^T of a bend, on their way into a matrix.
class BendSum {
 public:
  explicit BendSum(const BendShape& shape) : shape_(shape) {}
  void add_square(double factor, const formula::BendGradient<double>& g) {
    double n[12];
    nodal(shape_, g, n);
    for (int c = 0; c < 12; ++c) {
      const double s = factor * n[c];
      for (int r = 0; r < 12; ++r) m_[12 * c + r] += s * n[r];
    }
  }
  /// J (7 x 7, row-major) in (a, b, L).
  void add_matrix(const double J[49]) {
    double S[12][7] = {};
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) {
        S[4 * k + c][c] = shape_.place[0][k];
        S[4 * k + c][3 + c] = shape_.place[1][k];
      }
      S[4 * k + 3][6] = shape_.label[k];
    }
    for (int c = 0; c < 12; ++c) {
      double column[7];
      for (int r = 0; r < 7; ++r) {
        column[r] = 0;
        for (int k = 0; k < 7; ++k) column[r] += J[7 * r + k] * S[c][k];
      }
      for (int r = 0; r < 12; ++r)
        for (int k = 0; k < 7; ++k) m_[12 * c + r] += S[r][k] * column[k];
    }
  }
  void scatter(const YarnBatch& batch, int i, BlockMatrix& matrix) const {
    const int label = label_of(batch.family(i));
    const int* slots = batch.slots(i);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        double block[16];
        for (int c = 0; c < 4; ++c)
          for (int r = 0; r < 4; ++r) block[4 * c + r] = m_[12 * (4 * b + c) + 4 * a + r];
        add_to_block(matrix.block(slots[3 * a + b]), label, label, block);
      }
  }

 private:
  const BendShape& shape_;
  double m_[144] = {};
};

}  // namespace dashpot
