#pragma once
// A leaf of a foreign material: its law is a Prony series of two terms (a Maxwell element and a viscosity), of which
// only the amplitude that remains after one cycle is read, from two releases. A gain curve is fitted to those, and has
// to predict releases that it has not seen.

#include <vector>

#include "dashpot/design/unloading.hpp"
#include "experiment.hpp"

namespace dashpot::cli::leaf {

/// A release from `amplitude` times the example, and its turning points: |share| of the example, in order of time.
struct HiddenSwing {
  double amplitude = 1;
  std::vector<double> truth, fitted;

  /// Of the amplitude that remains after one cycle (the second turning point), relative.
  double residual_error() const;
  /// Largest difference of the first six turning points, of the amplitude.
  double peak_error() const;
};

struct HiddenLeaf {
  design::UnloadingDesign design;  ///< targets are what the truth leaves
  std::vector<HiddenSwing> fitted, held_out;
  double worst(const std::vector<HiddenSwing>& swings, double (HiddenSwing::*error)() const) const;
};
/// Nothing is held out where interrupted.
HiddenLeaf fit_hidden_leaf(const ReproductionRequest& request, int tets, double dt);

std::vector<Claim> judge(const HiddenLeaf& leaf);
render::Section section_of(const HiddenLeaf& leaf);

}  // namespace dashpot::cli::leaf
