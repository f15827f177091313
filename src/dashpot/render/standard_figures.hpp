#pragma once
// The plots every report of a moving body has, built from plain columns so that runs, comparisons and measurements
// share them.
#include <string>
#include <vector>

#include "dashpot/render/figure.hpp"
#include "dashpot/render/html_report.hpp"

namespace dashpot::render {

/// A named column over the time column beside it.
struct Column {
  std::string name;
  std::vector<double> values;
};

/// Energies of a run [J], one entry per recorded time.
struct EnergyColumns {
  std::vector<double> time;      ///< [s]
  std::vector<Column> stored;    ///< kinetic, elastic per body, gravity (shifted so that its lowest value is zero)
  std::vector<Column> lost;      ///< cumulative losses: each damping, contact, solver, numerical; may be negative
  std::vector<double> external;  ///< cumulative work done on the system; empty: none
};

/// Stacked areas: what is stored and, on top, where the rest went; a dashed line marks initial energy plus external
/// work.
Figure energy_figure(const EnergyColumns& energies);
/// Final losses as a table: joules and share of all energy that entered.
Table energy_table(const EnergyColumns& energies);

/// One decaying motion.
struct Decay {
  std::string name;
  std::vector<double> time;       ///< [s]
  std::vector<double> amplitude;  ///< envelope or absolute displacement
};
/// Envelopes on a logarithmic axis: a straight line is a constant damping ratio.
Figure decay_figure(const std::vector<Decay>& decays, const std::string& quantity, const std::string& unit);

/// Damping ratio against amplitude of one run or measurement.
struct DampingCurve {
  std::string name;
  std::vector<double> amplitude, zeta, spread;  ///< spread may be empty
};
/// `reference` > 0 draws a line there, named `meaning`.
Figure damping_curve_figure(const std::vector<DampingCurve>& curves, const std::string& unit, double reference = 0,
                            const std::string& meaning = "asked");

/// Linear and angular momentum over time, three components each.
Figure momentum_figure(const std::vector<double>& time, const std::vector<Column>& linear,
                       const std::vector<Column>& angular);

/// One damping that acts in a run, the integrator's own included.
struct ActingDamping {
  std::string name;        ///< "Rayleigh on beam", "backward Euler at 5 ms"
  std::string parameters;  ///< "alpha 0.1 1/s, beta 2 ms"
  double zeta = 0;         ///< predicted ratio at the first frequency; NaN: unknown
  double loss = 0;         ///< energy taken in this run [J]; NaN: unknown
  bool is_numerical = false;
};
/// "Damping that acts": name, parameters, ratio, joules, share of all losses.
Table acting_damping_table(const std::vector<ActingDamping>& dampings, double frequency);

}  // namespace dashpot::render
