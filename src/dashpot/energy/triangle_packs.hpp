#pragma once
// The triangles of a membrane four at a time, one per lane, for what happens in every iteration of projective dynamics
// and in every evaluation of forces: projections, elastic forces with their energy, and spin forces.
//
// The nearest matrix of orthonormal columns to F = [f1 f2] comes without singular values: with n the unit normal
// f1 x f2 / d, d = |f1 x f2|,
//     R = ( F + [f2 x n, n x f1] ) / sqrt(|f1|^2 + |f2|^2 + 2 d),
// because F = R S in the plane of its columns, S + adj(S) = tr(S) I and tr(S)^2 = tr(F^T F) + 2 det(S). Digits are lost
// with |F|^2/d; triangles flatter than 1e-4, and those beyond their strain limits, take the singular values.
//
// Floor: three nodes gathered and scattered, some 80 operations: 6-7 ns a triangle on one core.

#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// A triangle of a membrane; triangle_membrane.hpp has the formulas.
struct MembraneElement {
  Eigen::Vector2d g1, g2;         ///< rest gradients of shape functions 1 and 2 [1/m]; g0 = -g1 - g2
  double stretch = 0, limit = 0;  ///< w, w' [J]
  double least = 0, most = 0;     ///< stretches
  Eigen::Vector2d gradient(int a) const { return a == 1 ? g1 : a == 2 ? g2 : Eigen::Vector2d(-g1 - g2); }
};

class TrianglePacks {
 public:
  /// blocks: three per triangle; places: where its triangles are at rest (they are cut into compact pieces).
  TrianglePacks(const std::vector<MembraneElement>& elements, const std::vector<int>& blocks,
                const std::vector<Vec3>& places);
  ~TrianglePacks();

  /// f += sum_e G_e^T (w R + w' U clamp(s) V^T).
  void add_projection(const Vector& q, Vector& f);
  /// Psi [J]; gradient += dPsi/dq where given.
  double evaluate(const Vector& q, Vector* gradient);
  /// f += sum_e element_scale[e] (w + w') G_e^T (omega x F), omega the rate that turns F as its nodes move.
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale, Vector& f);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dashpot
