#pragma once
// The pass over tets for dampings that are laws at a point (tet_law.hpp): alone, or in company with an energy that
// leads the pass. For .cpp files of kernels only.

#include "dashpot/element/company.hpp"
#include "dashpot/element/green_blocks.hpp"
#include "dashpot/element/tet_gather.hpp"

namespace dashpot {

class Company : public CompanyOf<TetLaw> {
 public:
  explicit Company(std::span<const LawCall> laws);
  bool has(TangentForm form) const { return form == TangentForm::green ? has_green_ : has_blocks_; }

 private:
  bool has_green_ = false, has_blocks_ = false;
};

namespace kernel {

template <int N>
inline constexpr int num_points = N == 4 ? 1 : 4;

/// F at the quadrature points of a pack, and room for what a company finds there.
template <int N>
struct PackMotion {
  Matrix3<Pack4> F[num_points<N>], Fdot[num_points<N>];
  GreenTangent<Pack4> green[num_points<N>];
};

/// Does the laws of one form on a pack: scatters their forces, sums their tangents in motion.green or K. The first call
/// of a pack, which need not be for a form the company has, also gathers Fdot. Returns their power P : Fdot [W].
template <int N>
Pack4 join(const Company& company, TangentForm form, const TetBatch& batch, int pack, int lanes, PackMotion<N>& motion,
           StiffnessPacks K);
extern template Pack4 join<4>(const Company&, TangentForm, const TetBatch&, int, int, PackMotion<4>&, StiffnessPacks);
extern template Pack4 join<10>(const Company&, TangentForm, const TetBatch&, int, int, PackMotion<10>&, StiffnessPacks);

/// All laws of a company on a pack, given F: adds their tangents to the symmetric stiffness in K.upper. K.lower, where
/// given, is first set to a copy of it.
template <int N>
Pack4 join_all(const Company& company, const TetBatch& batch, int pack, int lanes, PackMotion<N>& motion,
               StiffnessPacks K);
extern template Pack4 join_all<4>(const Company&, const TetBatch&, int, int, PackMotion<4>&, StiffnessPacks);
extern template Pack4 join_all<10>(const Company&, const TetBatch&, int, int, PackMotion<10>&, StiffnessPacks);

}  // namespace kernel

/// A damping of tets alone.
double run_alone(const TetLaw& law, const DissipationRequest& request);

}  // namespace dashpot
