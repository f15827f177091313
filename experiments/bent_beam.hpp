#pragma once
// A beam that is bent up or sideways and let go (paper A, figs. 5 and 7): an isotropic one, and beams of an orthotropic
// and of a spline material that shall decay like it under another damping.

#include <string>
#include <vector>

#include "compass_search.hpp"
#include "experiment.hpp"

namespace dashpot::cli::beam {

constexpr double zeta = 0.02, gain_up = 5, gain_side = 0.1;

struct Setup {
  std::string cells = "[16, 3, 3]";
  double steps_per_period = 60, periods = 8;
  double precision = 0.02;  ///< of the searches for imitations, in log10
};

std::string scene_text(const Setup& setup, const std::string& material, const std::string& damping,
                       const std::string& start, double dt, double end);

std::string isotropic();
/// All moduli `scale` times, but the shear modulus of the sideways plane `shear_31` [Pa].
std::string orthotropic(double scale, double shear_31);
/// Young's modulus `stiff` times to a strain of 0.3 %, `soft` times beyond.
std::string spline(double stiff, double soft);
/// Pulled at the free end: up (1) or sideways (2) [N].
std::string pull(int axis, double force);
std::string rayleigh(double beta);

/// Frequency of the first bending up or sideways [Hz].
double bending_frequency(const Setup& setup, const std::string& material, int axis);
/// The shear modulus for which the sideways bending has `wanted` Hz; bisection in its logarithm.
double shear_for(const Setup& setup, double scale, double wanted);

/// Root mean square over the time of `a` of the difference of sqrt(energy / energy at the start): how differently two
/// motions die away. Not a number where one ended before.
double decay_difference(const RecordedRun& a, const RecordedRun& b);

}  // namespace dashpot::cli::beam
