#pragma once
// Stretch of yarns between crossings, V = sum over segments of k D eps^2/2, eps = |e|/D - 1 (formula/segment.hpp), k =
// Young's modulus times cross section [N] of each family. Where labels slide together and crossings stay, nothing is
// stretched; where only one slides, tension draws yarn into the segment. [reference ABCE, section 2.6]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

class YarnStretch final : public EnergyTerm {
 public:
  /// `segments` of two nodes; k [N] > 0. Throws Error for other stiffnesses.
  YarnStretch(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily stiffness);

  const std::string& body() const override { return body_; }
  const YarnBatch& batch() const { return *segments_; }
  const std::shared_ptr<YarnBatch>& shared_batch() const { return segments_; }
  const PerFamily& stiffness() const { return stiffness_; }
  BlockRange touched_blocks() const override { return segments_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { segments_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { segments_->bind(pattern); }
  /// Infinite where a segment holds no yarn (D <= 0). The projected Hessian leaves out what compression takes away.
  double evaluate(const EnergyRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> segments_;
  PerFamily stiffness_;
};

/// What a tangent of yarn damping holds besides df/dv: df/dq, exact and not symmetric, or nothing.
enum class YarnRateTangent { exact, velocity };

/// Dissipation of stretch, V_d = sum beta k D epsdot^2/2 with beta [s] of each family:
///     f = beta k D epsdot d(eps)/dq.
/// Yarn that slides uniformly through crossings at rest is not damped. D is not held: df/dq has the term of its
/// gradient, with the sign that the reference corrects [SanchezBanderasOtaduy2018, eq. 19].
class YarnStretchDamping final : public DissipationTerm {
 public:
  YarnStretchDamping(const YarnStretch& stretch, PerFamily beta, YarnRateTangent tangent);

  const std::string& body() const override { return stretch_->body(); }
  std::string model() const override { return "yarn_stretch"; }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return stretch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { stretch_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  double evaluate(const DissipationRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  const YarnStretch* stretch_;
  PerFamily beta_;
  YarnRateTangent tangent_;
};

}  // namespace dashpot
