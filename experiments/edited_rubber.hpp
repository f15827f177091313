#pragma once
// Rubber whose stress-stretch curve was drawn by hand [WangEtAl2020, figures 7 and 10]: neo-Hookean along one stretch,
// with the part in tension or in compression edited, and a ball of it whose top is moved up and down.

#include "law_study.hpp"

namespace dashpot::cli {

enum class EditedPart { tension, compression };
/// A spline material as JSON: f(s) = mu (s - 1/s), less stiff from 6 % on in the edited part and stiffer again beyond
/// 25 %.
std::string edited_rubber(EditedPart part);
/// The ball that learns it from a corotational law.
StudySpec ball_study(ReproductionVariant variant, EditedPart part);
/// A whole reproduction: claims with this bar of the largest error [%].
std::vector<Claim> reproduce_ball(const ReproductionRequest& request, EditedPart part, double bar);

}  // namespace dashpot::cli
