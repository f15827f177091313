// D-transfer: paper D, figure 10. A law does not know the body it was learned from: that of a ball moves a bunny,
// dampings of bars move a leaf.
#include "edited_rubber.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "stretch_damping.hpp"

namespace dashpot::cli::d_transfer {
namespace {

/// The bunny, smaller where the variant is.
StudiedMotion bunny_of(ReproductionVariant variant) {
  if (variant != ReproductionVariant::quick) return {"bunny", {}, "hopping_bunny"};
  return {"bunny", {{"/bodies/0/mesh/shape/tets", 500}, {"/time/dt", 0.004}, {"/time/end", 0.2}}, "hopping_bunny"};
}

/// A leaf; in full a plant with six of them.
StudiedMotion leaf_of(ReproductionVariant variant, const std::string& damping) {
  if (variant == ReproductionVariant::full) return {"plant_" + damping, {}, "swaying_plant"};
  StudiedMotion leaf{"leaf_" + damping, {}, "swaying_leaf"};
  if (variant == ReproductionVariant::quick) leaf.changes = {{"/time/dt", 0.005}, {"/time/end", 0.2}};
  return leaf;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  StudySpec ball = ball_study(request.variant, EditedPart::tension);
  ball.unseen = {bunny_of(request.variant)};
  const Study bunny = run_study(request, ball);
  std::vector<Study> plants;
  for (const TrueDamping law : {TrueDamping::line, TrueDamping::bump}) {
    if (interrupted()) return {};
    StudySpec bar = bar_study(request.variant, law, false);
    const std::string name = law == TrueDamping::line ? "line" : "bump";
    bar.training[0].name = "bar_" + name;
    bar.unseen = {leaf_of(request.variant, name)};
    plants.push_back(run_study(request, bar));
  }
  if (interrupted()) return {};
  const double plant = larger(plants[0].unseen_error(), plants[1].unseen_error());
  const std::vector<Claim> claims = {
      claim_at_most("max_error", "worst of a bunny with a law learned from a ball and a leaf with dampings of bars",
                    std::string("drifts apart late"), larger(bunny.unseen_error(), plant), "%", 3),
      claim_at_most("bunny_error", "a bunny with the law of a ball", std::string("drifts apart late"),
                    bunny.unseen_error(), "%", 3),
      claim_at_most("leaf_error", "a leaf (in full a plant) with the dampings of two bars: worst",
                    std::string("in the video"), plant, "%", 3),
      reported("bunny_nominal_error", "the bunny with the nominal law", {}, bunny.unseen[0].nominal_error(), "%"),
      reported("leaf_nominal_error", "the leaf with constant damping: worst", {},
               larger(plants[0].unseen[0].nominal_error(), plants[1].unseen[0].nominal_error()), "%"),
      definiteness_claim(request, bunny)};
  render::Report report =
      study_report(request, bunny, "D-transfer: laws on other bodies", "Wang et al. 2020, figure 10",
                   "A law learned from a ball moves a bunny of the same rubber; dampings learned from two bars move a "
                   "leaf. The paper gives old and young leaves of one plant different dampings; here the whole body "
                   "has one, and then the other.");
  add_sections(request, plants[0], "Damping 1 on a leaf", report);
  add_sections(request, plants[1], "Damping 2 on a leaf", report);
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-transfer", "Wang et al. 2020, fig. 10", "learned laws on other bodies: a bunny, a leaf", reproduce,
          "a potted plant of 17,000 tets in place of the leaf"};
}

}  // namespace dashpot::cli::d_transfer
