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
    const double* pass_numbers;  ///< as PointLaw::write_pass_numbers left them
  };
  /// Laws on one batch are of one kind; what is not of this kind is on no batch of this kind, and left out.
  explicit CompanyOf(std::span<const LawCall> calls) {
    for (const LawCall& call : calls)
      if (const Law* law = law_of_kind(*call.law, static_cast<const Law*>(nullptr))) {
        laws_.push_back({law, call.request, nullptr});
        symmetric_ = symmetric_ && law->has_symmetric_tangent(*call.request);
      }
    write_pass_numbers();
  }
  CompanyOf(const CompanyOf&) = delete;  // its calls point into it
  CompanyOf& operator=(const CompanyOf&) = delete;
  bool is_empty() const { return laws_.empty(); }
  bool has_symmetric_tangent() const { return symmetric_; }
  const std::vector<Call>& laws() const { return laws_; }
  const double* velocities() const { return laws_.front().request->v.data(); }

 private:
  void write_pass_numbers() {
    std::size_t count = 0;
    for (const Call& call : laws_) count += static_cast<std::size_t>(call.law->num_pass_numbers());
    if (count == 0) return;
    pass_numbers_.resize(count);
    double* next = pass_numbers_.data();
    for (Call& call : laws_) {
      call.law->write_pass_numbers(*call.request, next);
      call.pass_numbers = next;
      next += call.law->num_pass_numbers();
    }
  }

  std::vector<Call> laws_;
  std::vector<double> pass_numbers_;
  bool symmetric_ = true;
};

}  // namespace dashpot
