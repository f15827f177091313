#include "damping_contest.hpp"

#include <cmath>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {

double Contest::difference(std::size_t i, std::size_t from) const {
  return largest_difference(motions[from], motions[i]);
}

Contest run_contest(const ReproductionRequest& request, const std::vector<Contestant>& contestants, int steps,
                    int repeats) {
  Contest contest;
  contest.repeats = repeats;
  for (const Contestant& contestant : contestants) {
    if (interrupted()) return contest;
    contest.motions.push_back(run_scene(request, contestant.name, contestant.scene, contestant.file));
    const CompiledScene& scene = contest.motions.back().scene;
    contest.dt = scene.run.dt;
    contest.timed.emplace_back(scene.system, scene.start, make_stepper(scene.spec));
  }
  time_in_turn(contest.timed, contest.dt, steps, repeats);
  return contest;
}

Claim claim_slower(const Contest& contest, const std::string& id, const std::string& statement, std::size_t slow,
                   std::size_t fast, double bar, bool is_judged) {
  Claim claim = claim_at_least(id, statement, std::string("much faster"), contest.slower(slow, fast), "1", bar);
  return is_judged ? claim : not_judged(claim, "times are compared at the paper's size only");
}

Claim claim_all_finish(const Contest& contest, const std::string& statement) {
  bool fine = true;
  for (const TimedBody& body : contest.timed) fine &= !body.failed();
  for (const RecordedRun& motion : contest.motions) {
    if (motion.dampings.empty()) continue;  // midpoint may blow up without damping: that is what damping is for
    RecordedRun still;                      // as at the start, in every frame
    still.recording = motion.recording;
    for (Frame& frame : still.recording.frames) frame.points = motion.recording.frames.front().points;
    const render::Series moved = vertex_difference("", still, motion);
    fine &= !motion.diverged && largest(moved.y) > 1;
  }
  return claim_true("every_run_finishes", statement, fine);
}

namespace {

render::Figure frame_time_figure(const Contest& contest, const std::string& title) {
  render::Panel panel{"", {"frame", ""}, {"time of a frame", "ms", true}, {}, {}};
  for (std::size_t i = 0; i < contest.timed.size(); ++i) {
    render::Series series{contest.motions[i].name, {}, contest.timed[i].each_milliseconds()};
    for (std::size_t frame = 0; frame < series.y.size(); ++frame) series.x.push_back(static_cast<double>(frame + 3));
    panel.series.push_back(std::move(series));
  }
  return {title, "Computing time of every frame under each damping.", {panel}};
}

render::Table frame_time_table(const Contest& contest, std::size_t ours) {
  render::Table table{
      "Time of a frame",
      {"damping", "ms", "over the first", "iterations a frame", "difference from the first [% of diameter]"},
      {},
      {}};
  for (std::size_t i = 0; i < contest.timed.size(); ++i)
    table.rows.push_back(
        {contest.motions[i].name, fmt::format("{:.2f}", contest.milliseconds(i)),
         fmt::format("{:.2f}", contest.slower(i, ours)), fmt::format("{:.1f}", contest.timed[i].newton_iterations()),
         i == ours                                 ? "-"
         : std::isnan(contest.difference(i, ours)) ? "ended early"
                                                   : fmt::format("{:.2g}", contest.difference(i, ours))});
  return table;
}

std::string how_it_was_timed(const Contest& contest) {
  return fmt::format(
      "The bodies step in turn, {} steps of {:g} ms each, and the whole is repeated {} times; of every step the "
      "fastest "
      "repeat counts, so that what other programs took from the machine for a moment is left out. Pictures and files "
      "are not part of it.",
      contest.timed.empty() ? 0 : contest.timed[0].each_milliseconds().size(), 1000 * contest.dt, contest.repeats);
}

}  // namespace

render::Figure motion_figure(const Contest& contest, const std::string& title, const std::string& probe, int axis,
                             std::size_t from, double bar) {
  render::Panel path{"", {"time", "s"}, {fmt::format("displacement of {}", probe), "mm"}, {}, {}};
  render::Panel apart{"", {"time", "s"}, {"largest vertex difference", "% of diameter"}, {}, {}};
  for (std::size_t i = 0; i < contest.motions.size(); ++i) {
    const RecordedRun& motion = contest.motions[i];
    // Curves that agree cover each other: dashes let both be seen.
    path.series.push_back(probe_series(motion, axis, i == from ? render::Mark::line : render::Mark::dashed_line));
    if (i == from) continue;
    apart.series.push_back(vertex_difference(fmt::format("{} against {}", motion.name, contest.motions[from].name),
                                             contest.motions[from], motion));
    apart.series.back().color = static_cast<int>(i);
  }
  if (bar > 0) apart.guides = {{bar, fmt::format("{:g} %", bar)}};
  return {title, fmt::format("Displacement of {} over time, and how far vertices are apart.", probe), {path, apart}};
}

render::Section contest_pictures(const ReproductionRequest& request, const Contest& contest,
                                 const std::vector<double>& times, const std::string& title, const std::string& file) {
  std::vector<const RecordedRun*> shown;
  for (const RecordedRun& motion : contest.motions) shown.push_back(&motion);
  return {"Pictures", {picture_side_by_side(request, shown, times, title, look_of(contest.motions[0]), file)}};
}

render::Section contest_times(const ReproductionRequest& request, const Contest& contest, const std::string& body,
                              std::size_t ours) {
  return {"Time",
          {write_figure(request, "frames", frame_time_figure(contest, "Time of a frame of " + body)),
           frame_time_table(contest, ours), render::Paragraph{how_it_was_timed(contest)}}};
}

}  // namespace dashpot::cli
