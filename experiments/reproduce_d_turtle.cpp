// D-turtle: paper D, figure 1 and table 1. A turtle of neo-Hookean rubber is seen from outside while it swings; a
// corotational law that is nearly twice as stiff is corrected until it swings alike, and predicts two motions that it
// has not seen, the second of them much larger.
#include <fmt/format.h>

#include "interrupt.hpp"
#include "law_study.hpp"

namespace dashpot::cli::d_turtle {
namespace {

StudySpec spec_of(ReproductionVariant variant) {
  StudySpec spec;
  spec.scene = "jelly_turtle";
  spec.truth = R"({"model": "neo_hookean", "young": 2e4, "poisson": 0.43, "density": 1000})";
  spec.believed = R"({"model": "corotational", "young": 3.5e4, "poisson": 0.43, "density": 1000})";
  if (variant == ReproductionVariant::quick)
    spec.size = {{"/bodies/0/mesh/shape/tets", 300}, {"/time/dt", 0.005}, {"/time/end", 0.4}};
  spec.training = {{"training", {}}};
  spec.unseen = {{"elsewhere", {{"/gravity", "[-4, 3, 3]"}}}, {"harder", {{"/gravity", "[4, -9, -6]"}}}};
  return spec;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Study study = run_study(request, spec_of(request.variant));
  if (interrupted()) return {};
  const std::vector<Claim> claims = {
      claim_at_most("max_error", "largest error of a node in the motion it was learned from", 2.8, study.max_error(),
                    "%", 2.8),
      claim_at_most("max_error_goal", "the same, asked for more", {}, study.max_error(), "%", 0.1),
      claim_at_most("unseen_error", "worst of two motions that were not seen, one of them much larger",
                    std::string("low"), study.unseen_error(), "%", 5),
      nominal_claim(request, study, 5),
      definiteness_claim(request, study),
      learning_time_claim(study)};
  write_report(
      request,
      study_report(request, study, "D-turtle: a neo-Hookean law learned from a swinging turtle",
                   "Wang et al. 2020, figure 1 and table 1",
                   "The turtle is held at its belly; its weight sets in at once. The truth is neo-Hookean, the "
                   "scene that has to learn it corotational and nearly twice as stiff. Only the positions of "
                   "surface nodes of one motion are seen."),
      claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-turtle", "Wang et al. 2020, fig. 1, table 1",
          "a neo-Hookean law learned from the surface of a swinging turtle", reproduce};
}

}  // namespace dashpot::cli::d_turtle
