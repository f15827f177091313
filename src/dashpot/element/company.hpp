#pragma once
// Laws of one kind that are evaluated together at one (q, v), in one pass over their elements. All want a tangent, or
// none does. For .cpp files of kernels only.

#include <span>
#include <vector>

#include "dashpot/element/point_law.hpp"

namespace dashpot {

inline const TetLaw* law_of_kind(const PointLaw& law, const TetLaw*) { return law.tet_law(); }
inline const SheetLaw* law_of_kind(const PointLaw& law, const SheetLaw*) { return law.sheet_law(); }
inline const HingeLaw* law_of_kind(const PointLaw& law, const HingeLaw*) { return law.hinge_law(); }
inline const LineLaw* law_of_kind(const PointLaw& law, const LineLaw*) { return law.line_law(); }

template <class Law>
class CompanyOf {
 public:
  struct Call {
    const Law* law;
    const DissipationRequest* request;
  };
  /// Laws on one batch are of one kind; what is not of this kind is on no batch of this kind, and left out.
  explicit CompanyOf(std::span<const LawCall> calls) {
    for (const LawCall& call : calls)
      if (const Law* law = law_of_kind(*call.law, static_cast<const Law*>(nullptr))) {
        laws_.push_back({law, call.request});
        symmetric_ = symmetric_ && law->has_symmetric_tangent(*call.request);
      }
  }
  bool is_empty() const { return laws_.empty(); }
  bool has_symmetric_tangent() const { return symmetric_; }
  const std::vector<Call>& laws() const { return laws_; }
  const double* velocities() const { return laws_.front().request->v.data(); }

 private:
  std::vector<Call> laws_;
  bool symmetric_ = true;
};

}  // namespace dashpot
