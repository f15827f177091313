// D-dragon: paper D, figure 1 and table 1. A dragon of St. Venant-Kirchhoff material, learned by a corotational law.
#include "interrupt.hpp"
#include "law_study.hpp"

namespace dashpot::cli::d_dragon {
namespace {

StudySpec spec_of(ReproductionVariant variant) {
  StudySpec spec;
  spec.scene = "rubber_dragon";
  spec.truth = R"({"model": "stvk", "young": 1e5, "poisson": 0.4, "density": 1000})";
  spec.believed = R"({"model": "corotational", "young": 1.2e5, "poisson": 0.4, "density": 1000})";
  if (variant == ReproductionVariant::quick)
    spec.size = {{"/bodies/0/mesh/shape/tets", 1200}, {"/time/dt", 0.005}, {"/time/end", 0.3}};
  spec.training = {{"training", {}}};
  spec.unseen = {{"elsewhere", {{"/gravity", "[-6, 3, 9]"}}}, {"harder", {{"/gravity", "[-16, -15, 9]"}}}};
  return spec;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Study study = run_study(request, spec_of(request.variant));
  if (interrupted()) return {};
  const std::vector<Claim> claims = {
      claim_at_most("max_error", "largest error of a node in the motion it was learned from", 0.4, study.max_error(),
                    "%", 0.4),
      claim_at_most("unseen_error", "worst of two motions that were not seen, one of them much larger",
                    std::string("low"), study.unseen_error(), "%", 5),
      nominal_claim(request, study, 1), definiteness_claim(request, study), learning_time_claim(study)};
  write_report(request,
               study_report(request, study, "D-dragon: a St. Venant-Kirchhoff law learned from a dragon's head",
                            "Wang et al. 2020, figure 1 and table 1",
                            "The head is held at its neck; its weight sets in at once and pulls it aside. The truth is "
                            "St. Venant-Kirchhoff material, the scene that has to learn it corotational and stiffer by "
                            "a fifth. Only surface nodes of one motion are seen."),
               claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-dragon", "Wang et al. 2020, fig. 1, table 1",
          "a St. Venant-Kirchhoff law learned from the surface of a dragon's head", reproduce};
}

}  // namespace dashpot::cli::d_dragon
