// A-elephant: paper A, fig. 11. A skeleton walks an elephant; trunk and ears are simulated. Example deformations are
// the trunk to the side, the trunk fore and aft, and the two bendings of the ears. Design 1 frees the trunk to the side
// and calms it fore and aft, design 2 does the reverse, design 3 calms the ears alone.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/render/png.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "pose_sheet.hpp"
#include "trunk_swing.hpp"

namespace dashpot::cli::a_elephant {
namespace {

using namespace elephant;

std::vector<Claim> make_claims(const std::vector<Walk>& walks, bool judges_ears) {
  const Ratios one = ratios(walks[1], walks[0]), two = ratios(walks[2], walks[0]), three = ratios(walks[3], walks[0]);
  double worst = 0;
  bool are_complete = true;
  for (const Walk& walk : walks) {
    worst = smaller(worst, least_gain(walk.motion.damped));
    are_complete &= is_complete(walk.motion);
  }
  std::vector<Claim> claims;
  claims.push_back(claim_true("trunk_side_gain",
                              "the trunk swings more to the side and less fore and aft than under Rayleigh damping in "
                              "design 1, and the reverse in design 2",
                              one.side > 1 && one.fore_aft < 1 && two.side < 1 && two.fore_aft > 1));
  const std::string over = ", over Rayleigh (rms in the frame of the head)";
  claims.push_back(claim_at_least("side_livelier_1", "design 1, trunk to the side" + over,
                                  std::string("much more lively"), one.side, "1", 1.2));
  claims.push_back(claim_at_most("fore_aft_calmer_1", "design 1, trunk fore and aft" + over,
                                 std::string("damped out much faster"), one.fore_aft, "1", 0.85));
  claims.push_back(claim_at_most("side_calmer_2", "design 2, trunk to the side" + over, std::string("reversed"),
                                 two.side, "1", 0.85));
  claims.push_back(claim_at_least("fore_aft_livelier_2", "design 2, trunk fore and aft" + over, std::string("reversed"),
                                  two.fore_aft, "1", 1.2));
  claims.push_back(claim_at_most("ears_calmer_3", "design 3, left ear fore and aft, from the start on" + over,
                                 std::string("more slowly recovers"), three.ear, "1", 0.97));
  if (!judges_ears) claims.back() = not_judged(claims.back(), "the ears of the small mesh are a few tets thick");
  claims.push_back(claim_at_most("trunk_left_alone_3", "design 3, change of the trunk's swing",
                                 std::string("default damping"),
                                 100 * std::max(std::abs(three.side - 1), std::abs(three.fore_aft - 1)), "%", 1));
  claims.push_back(claim_at_least("examples_as_named",
                                  "how far the tip of the trunk moves as the two trunk examples are named (1: only so)",
                                  ClaimValue{}, examples_as_named(walks[1].motion), "1", 0.9));
  claims.push_back(claim_true("no_energy_created", "what the damping has taken never falls, in any walk",
                              are_complete && worst >= -1e-9));
  return claims;
}

render::Series series_of(const Walk& walk, const std::vector<Vec3>& path, int axis, bool is_dashed) {
  render::Series series{
      walk.motion.name, walk.motion.time, {}, {}, is_dashed ? render::Mark::dashed_line : render::Mark::line};
  for (const Vec3& x : path) series.y.push_back(1000 * x[axis]);
  return series;
}

render::Figure time_figure(const std::vector<Walk>& walks) {
  render::Figure figure{"Trunk and ear, seen from the head",
                        "Displacement of the trunk's tip and of the left ear's rim against the head over time.",
                        {}};
  const auto panel = [&](const std::string& title, int axis, bool is_ear, const std::vector<std::size_t>& which) {
    render::Panel one;
    one.title = title;
    one.x = {"time", "s"};
    one.y = {axis == side ? "to the left" : "forward", "mm"};
    one.height = 220;
    one.guides.push_back({measured_from, "measured", true});
    for (const std::size_t i : which)
      one.series.push_back(series_of(walks[i], is_ear ? walks[i].ear : walks[i].trunk, axis, i == 0));
    figure.panels.push_back(std::move(one));
  };
  panel("Tip of the trunk, to the side", side, false, {0, 1, 2});
  panel("Tip of the trunk, fore and aft", fore_aft, false, {0, 1, 2});
  panel("Left ear, fore and aft", fore_aft, true, {0, 3});
  return figure;
}

/// Paths of the trunk's tip from above.
render::Figure path_figure(const std::vector<Walk>& walks) {
  render::Figure figure{
      "Path of the trunk's tip from above", "Two strides under three dampings, in the frame of the head.", {}, 3};
  double reach = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (const Vec3& x : walks[i].trunk)
      reach = std::max(reach, 1000 * std::max(std::abs(x[side]), std::abs(x[fore_aft])));
  reach = 10 * std::ceil(reach / 10);
  for (std::size_t i = 0; i < 3; ++i) {
    render::Series path;
    for (std::size_t k = 0; k < walks[i].trunk.size(); ++k)
      if (walks[i].motion.time[k] >= measured_from) {
        path.x.push_back(1000 * walks[i].trunk[k][side]);
        path.y.push_back(1000 * walks[i].trunk[k][fore_aft]);
      }
    render::Panel panel;
    panel.title = walks[i].motion.name;
    panel.x = {"to the left", "mm", false, -reach, reach};
    panel.y = {"forward", "mm", false, -reach, reach};
    panel.height = 210;
    panel.series.push_back(std::move(path));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Table make_table(const std::vector<Walk>& walks) {
  render::Table table{"Swing against the head, rms: of the trunk after 2.4 s, of the ear from the start on",
                      {"damping", "trunk to the side [mm]", "over Rayleigh", "trunk fore-aft [mm]", "over Rayleigh",
                       "left ear fore-aft [mm]", "over Rayleigh"},
                      {},
                      {}};
  for (const Walk& walk : walks) {
    const Ratios over = ratios(walk, walks[0]);
    table.rows.push_back(
        {walk.motion.name, fmt::format("{:.2f}", 1000 * walk.rms(walk.trunk, side)), fmt::format("{:.3f}", over.side),
         fmt::format("{:.2f}", 1000 * walk.rms(walk.trunk, fore_aft)), fmt::format("{:.3f}", over.fore_aft),
         fmt::format("{:.2f}", 1000 * walk.rms(walk.ear, fore_aft, 0)), fmt::format("{:.3f}", over.ear)});
  }
  return table;
}

render::Picture examples_picture(const ReproductionRequest& request, const RecordedRun& motion) {
  std::vector<NamedPose> poses{{"at rest", Vector::Zero(motion.scene.system->num_dofs())}};
  const ExampleBased& damping = elephant_examples(motion.scene);
  for (std::size_t i = 0; i < damping.examples().size(); ++i)
    poses.emplace_back(damping.examples()[i].name + ", 4 times", 4 * damping.shape(i));
  const render::Image image = pose_sheet(motion.scene, poses, 3);
  render::write_png(request.folder + "/examples.png", image, {{"Title", "Example deformations of the elephant"}});
  return {"The elephant at rest and in its example deformations", "image/png", render::to_png(image)};
}

render::Section pictures_section(const ReproductionRequest& request, const ElephantSize& size,
                                 const std::vector<Walk>& walks) {
  std::vector<double> times = {0.6, telling_time(walks[1], walks[2], side, 2.4),
                               telling_time(walks[1], walks[2], fore_aft, 2.4),
                               telling_time(walks[1], walks[2], side, size.end - 1.2)};
  std::sort(times.begin(), times.end());
  if (request.variant == ReproductionVariant::quick) times.resize(1);
  std::vector<const RecordedRun*> motions;
  for (const Walk& walk : walks) motions.push_back(&walk.motion);
  render::Section pictures{"Pictures",
                           {picture_side_by_side(request, motions, times, "A walking elephant under four dampings",
                                                 look_of(walks[0].motion), "walks.png", true)}};
  if (request.variant != ReproductionVariant::quick)
    pictures.blocks.emplace_back(examples_picture(request, walks[1].motion));
  return pictures;
}

const char* const examples_text =
    "Examples are pulls, as an artist would make them: by the tip of the trunk, and by each ear. Parts bent about an "
    "axis are stiffer than what swings: damping acts on stretch too, so that a gain along them hardly reaches the "
    "swinging. The two slow modes of the trunk are so close in frequency that their directions depend on the mesh.";
const char* const walk_text =
    "The walk is our own, and was chosen so that the trunk swings: under slow sines it follows without resonance and "
    "hardly shows its damping, large looks to the side lift its tip and so move it fore and aft too, and nods in every "
    "stride meet it out of step. The head goes left and down in one stride, right and up in the next. The ear is "
    "measured from the start on, as the start is what the paper tells of.";

render::Report make_report(const ReproductionRequest& request, const ElephantSize& size,
                           const std::vector<Walk>& walks) {
  const Ratios one = ratios(walks[1], walks[0]), two = ratios(walks[2], walks[0]);
  render::Report report;
  report.title = "A-elephant: damping of a trunk by direction";
  report.subtitle = "Xu & Barbič 2017, figure 11";
  report.summary = fmt::format(
      "A skeleton walks an elephant of {} tets (St. Venant-Kirchhoff) for {:.0f} strides; its trunk, ears and tail are "
      "simulated. "
      "Design 1 (0.1 to the side, 3 fore and aft): the trunk swings {:.2f} times as far to the side as under Rayleigh "
      "damping and {:.2f} times fore and aft. Design 2 (3 and 0.1): {:.2f} and {:.2f} times. Design 3 changes the ears "
      "alone.",
      size.tets, size.end / 1.2, one.side, one.fore_aft, two.side, two.fore_aft);
  report.sections.push_back({"Motion against the head",
                             {make_table(walks), write_figure(request, "paths", path_figure(walks)),
                              write_figure(request, "motion", time_figure(walks))}});
  report.sections.push_back(pictures_section(request, size, walks));
  report.sections.push_back({"How it was set up", {render::Paragraph{examples_text}, render::Paragraph{walk_text}}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  ElephantSize size;
  if (quick) size = {2000, 0.02, 3.6};
  if (request.variant == ReproductionVariant::full) size.tets = 10416;
  write_file_atomically(request.folder + "/elephant_walk.json", elephant_skeleton());
  std::vector<Walk> walks;
  walks.push_back(walk(request, size, "Rayleigh", "rayleigh", std::nullopt));
  if (!interrupted()) walks.push_back(walk(request, size, "design 1", "design_1", ElephantGains{0.1, 3, 1}));
  if (!interrupted()) walks.push_back(walk(request, size, "design 2", "design_2", ElephantGains{3, 0.1, 1}));
  if (!interrupted()) walks.push_back(walk(request, size, "design 3", "design_3", ElephantGains{1, 1, 3}));
  if (interrupted()) return {};
  for (const Walk& one : walks)
    if (one.motion.diverged)
      throw Error(Problem{"A-elephant", one.motion.name + ": " + one.motion.explanation, "a walk to its end"});
  const std::vector<Claim> claims =
      make_claims(walks, !quick);  // a coarse mesh makes the thin ears too stiff to vibrate
  write_report(request, make_report(request, size, walks), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-elephant", "Xu & Barbic 2017, fig. 11",
          "trunk and ears of a walking elephant: three designs against Rayleigh damping", reproduce,
          "an elephant of 10,416 tets (table 2)"};
}

}  // namespace dashpot::cli::a_elephant
