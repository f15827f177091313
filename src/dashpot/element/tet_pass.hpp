#pragma once
// The pass over tets for dampings that are laws at a point (point_law.hpp): alone, or in company with an energy that
// leads the pass. For .cpp files of kernels only.

#include <span>

#include "dashpot/element/point_law.hpp"
#include "dashpot/element/tet_gather.hpp"

namespace dashpot {

/// Laws that are evaluated together at one (q, v). All want a tangent, or none does.
class Company {
 public:
  explicit Company(std::span<const LawCall> laws);
  bool is_empty() const { return laws_.empty(); }
  bool has_symmetric_tangent() const { return symmetric_; }
  std::span<const LawCall> laws() const { return laws_; }
  const double* velocities() const { return laws_.front().request->v.data(); }

 private:
  std::span<const LawCall> laws_;
  bool symmetric_ = true;
};

namespace kernel {

/// Does the laws of a company on one pack, given F at its quadrature points: scatters their forces and adds their
/// tangents to K. Where K.lower is given it is first set to a copy of K.upper, which holds the leader's symmetric
/// stiffness. Returns their power P : Fdot [W] in each tet.
template <int N>
Pack4 join(const Company& company, const TetBatch& batch, int pack, int lanes, const Matrix3<Pack4>* F,
           StiffnessPacks K);
extern template Pack4 join<4>(const Company&, const TetBatch&, int, int, const Matrix3<Pack4>*, StiffnessPacks);
extern template Pack4 join<10>(const Company&, const TetBatch&, int, int, const Matrix3<Pack4>*, StiffnessPacks);

}  // namespace kernel

/// A damping alone: adds its force and tangent, writes its memory, returns its power [W].
double evaluate_alone(const PointLaw& law, const DissipationRequest& request);

}  // namespace dashpot
