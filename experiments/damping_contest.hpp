#pragma once
// One motion under several dampings that are meant to look alike: how far the motions are apart, and what a frame of
// each costs (paper E, figs. 3 to 6).

#include <string>
#include <vector>

#include "experiment.hpp"
#include "step_timing.hpp"

namespace dashpot::cli {

struct Contestant {
  std::string name;   ///< in legends and pictures
  std::string scene;  ///< text
  std::string file;   ///< it is written to
};

struct Contest {
  std::vector<RecordedRun> motions;  ///< as the contestants
  std::vector<TimedBody> timed;      ///< as the contestants
  double dt = 0;                     ///< [s]
  int repeats = 0;

  double milliseconds(std::size_t i) const { return timed[i].milliseconds(); }  ///< a frame
  double slower(std::size_t i, std::size_t than) const { return milliseconds(i) / milliseconds(than); }
  /// Largest vertex difference over the run [% of the first body's diameter]; not a number where one ended early.
  double difference(std::size_t i, std::size_t from) const;
};

/// Runs all scenes to their end, then times their first `steps` steps in turn, `repeats` times. Ends early when
/// interrupted.
Contest run_contest(const ReproductionRequest& request, const std::vector<Contestant>& contestants, int steps,
                    int repeats);

/// That contestant `slow` takes at least `bar` times as long a frame as `fast`; judged only where the body has the
/// paper's size, since factors gain on everything else with it.
Claim claim_slower(const Contest& contest, const std::string& id, const std::string& statement, std::size_t slow,
                   std::size_t fast, double bar, bool is_judged);

/// That no run stopped early and no timed step failed, and that the first body of every run was moved by more than 1 %
/// of its diameter: otherwise differences mean nothing.
Claim claim_all_finish(const Contest& contest, const std::string& statement);

/// Where the probe is over time [mm along an axis], and how far all vertices are from those of motion `from`.
render::Figure motion_figure(const Contest& contest, const std::string& title, const std::string& probe, int axis,
                             std::size_t from, double bar);

/// All motions side by side at some times, also as folder/<file>.
render::Section contest_pictures(const ReproductionRequest& request, const Contest& contest,
                                 const std::vector<double>& times, const std::string& title, const std::string& file);
/// Time of every frame (logarithmic, as in figs. 4 and 6 of the paper), a table of their means and differences beside
/// contestant `ours`, and how it was timed. `body` is named in the title: "the pig".
render::Section contest_times(const ReproductionRequest& request, const Contest& contest, const std::string& body,
                              std::size_t ours);

}  // namespace dashpot::cli
