#pragma once
// Elasticity from load tests: the stress curve of a spline material whose simulated displacements come nearest to the
// measured ones. Minimized is
//
//     sum_i ((u_i - m_i) / scale_i)^2 + prior^2 sum_j (ln r_j / w_j)^2,    scale_i = max(|m_i|, 5 % of the case's
//     largest |m|),
//
// over theta = (ln E, ln r_1, ..) (elastic_curve.hpp) by Gauss-Newton steps, damped after Levenberg and Marquardt where
// one does not help, with exact sensitivities (load_test.hpp). The modulus alone is fitted first (the best straight
// curve, a standard to compare with); knots, where none are given, are then put evenly over the stretches that the
// loads reach. The weak prior keeps knots that no load can see at the stiffness of their neighbors; which those are is
// reported. The paper did this by trial and error [XuBarbic2017, sec. 7].

#include "dashpot/design/load_test.hpp"

namespace dashpot::design {

struct IdentifyOptions {
  Isotropic start;                           ///< first guess of E [Pa]; Poisson's ratio, kept
  std::vector<double> tension, compression;  ///< knots; both empty: chosen
  Vector first;            ///< theta to begin with where knots are given; the fit of a straight curve is then left out
  int knots_per_side = 3;  ///< of chosen knots, at least 2
  double prior = 5e-3;     ///< relative noise of a reading: a factor e within a stretch of 0.1 weighs as one such error
  double tolerance = 0.02;  ///< of the relative error of every load
  int max_iterations = 30;
  /// Told after each iteration: number, largest relative error of the fitted loads.
  std::function<void(int iteration, double error)> on_iteration;
  std::function<bool()> should_stop;
};

struct IdentifiedPoint {
  std::size_t load_case = 0;
  LoadPoint measured;
  double simulated = 0;  ///< [m]
  double straight = 0;   ///< with the best straight curve [m]
  double error = 0;      ///< (simulated - measured) / scale
  /// How much of this datum the fit uses, 0 to 1 (diagonal of the hat matrix); 0 where held out.
  double leverage = 0;
};

struct IdentifiedParameter {
  std::string name;
  double value = 0;  ///< slope of the curve there [Pa]
  /// 1: the loads alone decide about it; 0: they say nothing, and it follows its neighbor.
  double resolution = 0;
  double spread = 0;  ///< standard error of ln value, from the residuals; what the prior adds is not in it
};

struct Identified {
  ElasticPoints curve;
  Vector theta;                         ///< of ElasticCurve with these knots
  std::vector<IdentifiedPoint> points;  ///< case by case, in the order of the tables
  std::vector<IdentifiedParameter> parameters;
  StretchRange stretches;            ///< that the loads reach
  double fitted_error = 0;           ///< largest |error| of fitted loads
  double held_out_error = 0;         ///< of held-out ones; 0 where there are none
  double straight_error = 0;         ///< of all loads, with the best straight curve
  double straight_young = 0;         ///< modulus of that [Pa]
  int iterations = 0, balances = 0;  ///< balances: static problems solved
  bool reached = false;              ///< every load within the tolerance
  bool stopped = false;
  std::string explanation;  ///< of a fit that did not reach it
};

/// dashpot::Error where even the first guess has no balance under the loads.
Identified identify_elasticity(LoadTest& test, const IdentifyOptions& options);

}  // namespace dashpot::design
