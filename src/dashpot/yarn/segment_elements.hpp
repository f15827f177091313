#pragma once
// Segments of a batch: gather (e, D), scatter what was made of it. For .cpp files of this room.

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/math/dual.hpp"
#include "dashpot/yarn/formula/segment.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

/// Differences along segment i of a vector over blocks: of places and labels, or of their rates.
inline formula::Segment<double> segment_difference(const YarnBatch& batch, const Vector& v, int i) {
  const double *a = v.data() + batch.offset(i, 0), *b = v.data() + batch.offset(i, 1);
  const int label = label_of(batch.family(i));
  return {{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, b[label] - a[label]};
}
inline formula::Segment<double> segment_at(const YarnBatch& batch, const Vector& q, int i) {
  formula::Segment<double> s = segment_difference(batch, q, i);
  s.D += batch.shift(i);
  return s;
}

inline formula::SegmentMotion<double> motion_of(const YarnBatch& batch, const Vector& v, int i) {
  const double *a = v.data() + batch.offset(i, 0), *b = v.data() + batch.offset(i, 1);
  const int label = label_of(batch.family(i));
  return {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, a[label], b[label]};
}
/// out += f at the ends of segment i.
inline void add_motion(const YarnBatch& batch, int i, const formula::SegmentMotion<double>& f, Vector& out) {
  double *a = out.data() + batch.offset(i, 0), *b = out.data() + batch.offset(i, 1);
  const int label = label_of(batch.family(i));
  for (int k = 0; k < 3; ++k) {
    a[k] += f.x0[k];
    b[k] += f.x1[k];
  }
  a[label] += f.u0;
  b[label] += f.u1;
}

/// out += the force of a gradient in (e, D): against it at the first end, along it at the second.
inline void add_segment_force(const YarnBatch& batch, int i, const formula::SegmentGradient<double>& g, Vector& out) {
  add_motion(batch, i, {-1.0 * g.e, g.e, -g.D, g.D}, out);
}

/// matrix += +-m in the four blocks of segment i, m (4 x 4, column-major) in (e, D).
inline void add_segment_blocks(const YarnBatch& batch, int i, const double m[16], BlockMatrix& matrix) {
  const int label = label_of(batch.family(i));
  const int* slots = batch.slots(i);
  double opposite[16];
  for (int k = 0; k < 16; ++k) opposite[k] = -m[k];
  add_to_block(matrix.block(slots[0]), label, label, m);
  add_to_block(matrix.block(slots[1]), label, label, opposite);
  add_to_block(matrix.block(slots[2]), label, label, opposite);
  add_to_block(matrix.block(slots[3]), label, label, m);
}

inline void add_segment_tangent(const YarnBatch& batch, int i, const formula::SegmentHessian<double>& H,
                                BlockMatrix& matrix) {
  const double m[16] = {H.ee[0], H.ee[1], H.ee[2], H.eD.x, H.ee[1], H.ee[3], H.ee[4], H.eD.y,
                        H.ee[2], H.ee[4], H.ee[5], H.eD.z, H.eD.x,  H.eD.y,  H.eD.z,  H.DD};
  add_segment_blocks(batch, i, m, matrix);
}

/// matrix += scale times the Jacobian in (e, D) of a force in (e, D).
template <class Force>
void add_segment_jacobian(const YarnBatch& batch, int i, double scale, const formula::Segment<double>& s,
                          const Force& force, BlockMatrix& matrix) {
  using D = math::Dual<4>;
  const formula::SegmentGradient<D> f = force(
      formula::Segment<D>{{D::variable(s.e.x, 0), D::variable(s.e.y, 1), D::variable(s.e.z, 2)}, D::variable(s.D, 3)});
  double m[16];
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r) m[4 * c + r] = scale * (r < 3 ? f.e[r] : f.D).d[static_cast<std::size_t>(c)];
  add_segment_blocks(batch, i, m, matrix);
}

}  // namespace dashpot
