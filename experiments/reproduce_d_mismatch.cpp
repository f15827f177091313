// D-mismatch: no inverse crime. The truth has a quarter of the step, or a mesh twice as fine, so that no law on the
// model that learns reproduces it exactly (reference D, section 8).
#include "interrupt.hpp"
#include "law_study.hpp"

namespace dashpot::cli::d_mismatch {
namespace {

StudySpec spec_of(const std::string& name, SceneChange of_truth) {
  StudySpec spec;
  spec.scene = "falling_bar";
  spec.truth = R"({"model": "neo_hookean", "young": 2e4, "poisson": 0.43, "density": 1000})";
  spec.believed = R"({"model": "learned", "nominal": "corotational", "young": 3.5e4, "poisson": 0.43, "density": 1000,
                      "stretch_range": [0.6, 1.5], "volume_range": [0.6, 1.4]})";
  spec.of_truth = {std::move(of_truth)};
  spec.training = {{name, {}}};
  spec.law.ridge = 3;
  spec.sigma = 1e-3;
  return spec;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  // The reference's bar and frames are small: all variants are the same.
  const Study step = run_study(request, spec_of("step", {"/time/dt", 0.000625}));
  if (interrupted()) return {};
  const Study mesh =
      run_study(request, spec_of("mesh", {"/bodies/0/mesh", std::string(R"({"bar": {"size": [0.09, 0.03, 0.03],
                                                               "cells": [12, 4, 4], "split": "five"}})")}));
  if (interrupted()) return {};
  const double true_step = law_error(step, step.spec.truth), true_mesh = law_error(mesh, mesh.spec.truth);
  const std::vector<Claim> claims = {
      claim_at_most("max_error_step", "truth at a quarter of the step", {}, step.max_error(), "%", 1.7),
      claim_at_most("max_error_mesh", "truth on a mesh twice as fine", {}, mesh.max_error(), "%", 1.5),
      reported("true_law_step", "the true law on this model, truth at a quarter of the step", {}, true_step, "%"),
      reported("true_law_mesh", "the true law on this model, truth on a finer mesh", {}, true_mesh, "%"),
      claim_true("better_than_the_true_law", "what was learned fits better than the true law does on this model",
                 step.max_error() < true_step && mesh.max_error() < true_mesh),
      definiteness_claim(request, step),
      learning_time_claim(mesh)};
  render::Report report = study_report(
      request, step, "D-mismatch: learned on another step and another mesh than the truth's",
      "No inverse crime; reference D, section 8",
      "The bar that is seen is computed with a quarter of the step, and then with a mesh twice as fine. No "
      "law makes the coarse model move alike; what is learned makes up for a part of its numerical damping "
      "and of its stiffness. Step, integrator and mesh belong to a learned law.");
  add_sections(request, mesh, "Finer mesh", report);
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-mismatch", "Wang et al. 2020; reference D, section 8",
          "a law learned from a truth of another step and another mesh", reproduce};
}

}  // namespace dashpot::cli::d_mismatch
