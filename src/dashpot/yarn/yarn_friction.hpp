#pragma once
// Friction of yarns that slide through crossings: on each label a spring and a damper, together at most mu N
// (formula/friction.hpp), N the force by which the two yarns are pressed together:
//     N = max(0, N_0 + n.(F_lower - F_upper)/2),
// n the normal of the crossing toward the upper yarn, F the elastic force of that yarn on the crossing [N], N_0 what
// the weaving left (crimp). N is taken at the start of the step and held. How far the spring is stretched, u - ubar
// [m], is an internal variable, two of each crossing; the spring's energy is stored, not lost. [reference ABCE,
// section 2.6; after CirioEtAl2014]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_bending.hpp"
#include "dashpot/yarn/yarn_stretch.hpp"

namespace dashpot {

struct YarnFrictionOptions {
  double coefficient = 0;     ///< mu >= 0
  double stiffness = 0;       ///< k_f > 0 [N/m]
  double damping = 0;         ///< c >= 0 [N s/m]
  double pressing_force = 0;  ///< N_0 >= 0 [N]
};

class YarnFriction final : public DissipationTerm {
 public:
  /// warp_is_upper: one of each crossing. Throws Error for options out of range.
  YarnFriction(const YarnStretch& stretch, const YarnBending& bending, std::vector<std::uint8_t> warp_is_upper,
               const YarnFrictionOptions& options);

  const std::string& body() const override { return stretch_->body(); }
  std::string model() const override { return "yarn_friction"; }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return stretch_->touched_blocks(); }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern& pattern) override;
  int num_internal_variables() const override { return 2 * num_crossings_; }
  double stored_energy(const Vector& internal_variables) const override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  /// N at each crossing [N] where q is.
  void normal_forces(const Vector& q, std::vector<double>& N) const;

 private:
  const YarnStretch* stretch_;
  const YarnBending* bending_;
  int num_crossings_;
  std::vector<std::uint8_t> warp_is_upper_;
  YarnFrictionOptions options_;
  std::vector<int> diagonal_;
};

}  // namespace dashpot
