// D-coarsen: paper D, figure 14 and table 1. A bar of layers, one a hundred times as stiff as the next, is learned by a
// homogeneous bar of half its resolution, from one motion that bends and one that twists.
#include <algorithm>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "law_study.hpp"

namespace dashpot::cli::d_coarsen {
namespace {

struct Size {
  int along, across;  ///< cells of the coarse bar
  double length, width;
};

/// Layers of one fine cell along the bar, stiff and soft by turns.
std::string layered(const Size& size) {
  std::string regions;
  const double layer = 0.5 * size.length / size.along;
  for (int i = 0; i < 2 * size.along; i += 2)
    regions += fmt::format(R"({}{{"where": {{"box": [[{:.9g}, -1, -1], [{:.9g}, 1, 1]]}}, "young": 1e7}})",
                           i > 0 ? ", " : "", layer * (i - 1e-6), layer * (i + 1 + 1e-6));
  return fmt::format(R"({{"model": "corotational", "young": 1e5, "poisson": 0.4, "density": 1000, "regions": [{}]}})",
                     regions);
}

std::string bar(const Size& size, int refined) {
  return fmt::format(R"({{"bar": {{"size": [{:g}, {:g}, {:g}], "cells": [{}, {}, {}]}}}})", size.length, size.width,
                     size.width, refined * size.along, refined * size.across, refined * size.across);
}

StudySpec spec_of(ReproductionVariant variant) {
  const Size size = variant == ReproductionVariant::quick ? Size{6, 2, 0.12, 0.04} : Size{17, 4, 0.34, 0.08};
  StudySpec spec;
  spec.scene = "layered_bar";
  spec.size = {{"/bodies/0/mesh", bar(size, 1)}};
  if (variant == ReproductionVariant::quick) spec.size.push_back({"/time/end", 0.1});
  spec.truth = layered(size);
  spec.believed = R"({"model": "corotational", "young": 3e6, "poisson": 0.4, "density": 1000})";
  spec.of_truth = {{"/bodies/0/mesh", bar(size, 2)}};
  spec.training = {{"bend", {{"/bodies/0/start", R"({"from": "rest", "velocity": [0, 0.6, 0.2]})"}}},
                   {"twist", {{"/bodies/0/start", R"({"from": "rest", "angular_velocity": [12, 0, 0]})"}}}};
  spec.truth_is_homogeneous = false;
  spec.law.ridge = 1;
  spec.sigma = 1e-3;
  return spec;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Study study = run_study(request, spec_of(request.variant));
  if (interrupted()) return {};
  std::vector<Claim> claims = {
      claim_at_most("max_error", "worst of bending and twisting", 0.5, study.max_error(), "%", 0.5),
      claim_at_most("bend_error", "bending", 0.2, study.training[0].error(), "%", 0.2),
      claim_at_most("twist_error", "twisting", 0.5, study.training[1].error(), "%", 0.5),
      reported("nominal_error", "the nominal law, worst of both", {},
               std::max(study.training[0].nominal_error(), study.training[1].nominal_error()), "%"),
      definiteness_claim(request, study),
      learning_time_claim(study)};
  if (request.variant == ReproductionVariant::quick)
    for (Claim& claim : claims)
      if (claim.unit == "%") claim = not_judged(std::move(claim), "a bar that is two cells thick");
  write_report(
      request,
      study_report(request, study, "D-coarsen: a layered bar at half its resolution",
                   "Wang et al. 2020, figure 14 and table 1",
                   "Layers of 0.1 and 10 MPa follow each other along the bar that is seen, each as thick as a cell. "
                   "The bar that learns is homogeneous and has cells of twice the size. It sees all nodes that "
                   "both have on the surface. The bar gets a push that bends it, or a spin that twists it."),
      claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-coarsen", "Wang et al. 2020, fig. 14, table 1",
          "a layered bar learned by a homogeneous one of half its resolution", reproduce};
}

}  // namespace dashpot::cli::d_coarsen
