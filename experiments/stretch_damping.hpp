#pragma once
// Dampings that follow the largest stretch, of paper D, figure 9, on a bar, and how they are learned.

#include "law_study.hpp"

namespace dashpot::cli {

/// beta = 0.002 s + 0.15 s (lambda - 1), and 0.003 s + 0.03 s exp(-((lambda - 1) / 0.06)^2): reference D, section 8.
enum class TrueDamping { line, bump };
/// As dampings of a scene, JSON.
std::string stretch_damping(TrueDamping law);
/// The one that has to learn it: constant, and a curve of zeros.
std::string constant_damping();

/// A bar of the paper's 425 vertices, its elasticity known (or learned with it from a law that is too soft).
StudySpec bar_study(ReproductionVariant variant, TrueDamping law, bool learns_elasticity);
/// A whole reproduction: damping alone, then elasticity with it. `bar` of the largest error [%].
std::vector<Claim> reproduce_damping(const ReproductionRequest& request, TrueDamping law, double bar);

}  // namespace dashpot::cli
