#pragma once
// What reproductions share: scenes run in memory with all that is measured of them, pictures of several runs side by
// side, and the report that ends each.

#include <array>
#include <string>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/render/html_report.hpp"
#include "dashpot/render/run_view.hpp"
#include "dashpot/scene/simulate.hpp"
#include "reproductions.hpp"

namespace dashpot::cli {

/// A scene that was run, as reproductions look at it. Samples are taken at every step, frames at the scene's
/// record/every.
struct RecordedRun {
  std::string name;  ///< in legends and pictures
  CompiledScene scene;
  std::vector<double> time;               ///< [s]
  std::vector<double> energy;             ///< kinetic + potential [J]
  std::vector<double> external;           ///< work of loads and of what is driven so far [J]
  std::vector<Vec3> momentum;             ///< of all bodies [kg m/s]
  std::vector<Vec3> spin;                 ///< angular momentum about the origin [kg m^2/s]
  std::vector<double> damped;             ///< taken by all dampings and at contacts so far [J]
  std::vector<std::string> dampings;      ///< "<body>.<model>" of each damping
  std::vector<std::vector<Vec3>> probes;  ///< displacement from rest of each probe of the scene [m]
  Table ledger;
  Recording recording;
  RunCounters counters;
  bool diverged = false;
  std::string explanation;  ///< of a run that stopped early

  std::vector<double> coordinate(std::size_t probe, int axis) const;
  /// Ring-down of the coordinate of a probe that moves most.
  analysis::RingDown ring(std::size_t probe = 0, const analysis::RingDownOptions& options = {}) const;
};

/// A run that sampled every step, in the columns above.
RecordedRun recorded(const std::string& name, CompiledScene scene, RunResult run);

/// Runs a scene text with a progress bar; the scene is written to folder/<file> when `file` is not empty. Ctrl-C ends
/// it early (see interrupted()). Steps that fail are halved up to `max_halvings` times; 0: they end the run.
RecordedRun run_scene(const ReproductionRequest& request, const std::string& name, const std::string& text,
                      const std::string& file = {}, int max_halvings = 6);

/// To be looked at: the first `end` seconds, where later a body has flown far away or apart.
RecordedRun beginning(const RecordedRun& motion, double end);

/// The axis along which a path moves most: 0, 1 or 2.
int main_axis(const std::vector<Vec3>& path);

/// Displacement of the first probe along an axis over time, in millimeters.
render::Series probe_series(const RecordedRun& motion, int axis, render::Mark mark = render::Mark::line);

/// Largest distance between the same vertex of the first body in two motions, in percent of its diameter, over time.
render::Series vertex_difference(const std::string& name, const RecordedRun& a, const RecordedRun& b);

/// Largest vertex difference of two motions [% of the first body's diameter]; not a number where one ended early.
double largest_difference(const RecordedRun& a, const RecordedRun& b);

/// A column for every motion, a row for every time, written to folder/<file>; with one camera for all, which can go
/// along with a body that travels. `largest`: width of a column at most [pixels].
render::Picture picture_side_by_side(const ReproductionRequest& request, const std::vector<const RecordedRun*>& motions,
                                     const std::vector<double>& times, const std::string& title,
                                     const render::Look& look, const std::string& file, bool follows = false,
                                     int largest = 400);
/// The direction from which the first body that is a creature of the cast wants to be seen.
render::Look look_of(const RecordedRun& motion);

/// Writes folder/<file>.svg and returns the figure for the report.
render::Figure write_figure(const ReproductionRequest& request, const std::string& file, render::Figure figure);
/// Puts a table of the claims in front of the sections and writes folder/report.html.
void write_report(const ReproductionRequest& request, render::Report report, const std::vector<Claim>& claims);

}  // namespace dashpot::cli
