#pragma once
// Static tests of paper A, figs. 12a and 14a: weights hang on a printed dragon and on a leaf, and displacements are
// read. We have neither object. Ours are simulated of laws that the fitted spline material does not contain, read off
// with 0.5 % noise, and then fitted as strangers.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/design/scene_fit.hpp"
#include "reproductions.hpp"

namespace dashpot::cli {

/// A body and where it is loaded; texts are JSON of a scene.
struct Specimen {
  std::string title, mesh, pins, gravity, where, direction;
  double density = 1000;  ///< [kg/m^3]
};
/// Held at its neck, pulled at its jaw, without gravity. The body that is read has a finer mesh than the one fitted.
Specimen dragon_specimen(ReproductionVariant variant, const std::string& title, bool is_truth);
/// Held at its stalk, sagging under its weight, loaded at its tip.
Specimen leaf_specimen(ReproductionVariant variant);

/// A material as JSON that stiffens exponentially up to strains of `reach`:
/// p = 2 mu (exp(b (s - 1)) - 1) / b in tension, with b / 2 in compression. Young's modulus at rest [Pa].
std::string stiffening(double young, double poisson, double b, double reach);

struct Load {
  double newtons;
  bool held_out;
};

/// What an experimenter reads from a specimen.
struct SpecimenReadings {
  design::FitTask truth;                           ///< with the hidden material
  Vector unloaded;                                 ///< positions under gravity alone [m]
  std::vector<design::LoadPoint> exact, readings;  ///< without noise, and with it
  /// Other noise on the same displacements.
  void draw(unsigned seed);
  /// Stress over stretch of a specimen made by stiffening().
  math::Curve hidden_curve() const;
};
/// Loads a specimen of a hidden material step by step. `seed` draws the first noise of the readings.
SpecimenReadings read_specimen(const Specimen& specimen, const std::string& hidden, const std::vector<Load>& loads,
                               unsigned seed);

struct FittedSpecimen {
  std::string name;
  design::FitTask task;
  design::FitOutcome outcome;
  std::optional<math::Curve> truth;  ///< stress over stretch where the hidden law has one

  const design::Identified& found() const { return *outcome.elasticity; }
  /// Largest error of the held-out loads within (or beyond) the fitted ones; not a number where there are none.
  double held_out(bool beyond) const;
};

/// Errors of the fits to several draws of the noise, the worst of which counts.
struct DrawnErrors {
  std::vector<double> within, beyond, fitted, straight;
  void add(const FittedSpecimen& fit);
};
/// Fits a spline material, from the first guess `guess`, and the rest shape where wanted. The scene is written to
/// folder/<file>; `mesh` is its mesh, which may be a scanned pose.
FittedSpecimen fit_specimen(const Specimen& specimen, const std::string& mesh, const std::string& guess,
                            const SpecimenReadings& data, bool rest_shape, const std::string& file,
                            const ReproductionRequest& request);

}  // namespace dashpot::cli
