#pragma once
// The sitting koala of paper A as a scene: in a subspace, damped along four examples.
#include <string>
#include <vector>

#include "dashpot/design/unloading.hpp"

namespace dashpot::cli {

struct KoalaSize {
  int tets = 11000, modes = 20, coordinates = 74;
};

/// Gains of the belly's side motion and of the ears, and of its up-down motion, as JSON members.
struct KoalaGains {
  std::string side_and_ears, up_down;
};
/// As if there were no examples.
inline const KoalaGains koala_default{R"("gamma": 1)", R"("gamma": 1)"};
/// Drawn by hand as in fig. 2: hardly damped while small, strongly when large; up and down ten times as much.
inline const KoalaGains koala_forward{R"("curve": [[0, 0.1], [0.4, 0.3], [0.8, 2], [1.4, 10]])", R"("gamma": 10)"};

/// How it is held and moved.
struct KoalaDrive {
  std::string pins = R"([{"where": {"region": "seat"}}])";
  bool moves = false;                   ///< then it has sagged before
  bool is_reduced = true;               ///< a subspace rides on one rigid motion; on several bones the whole body moves
  int side_mode = 4, up_down_mode = 3;  ///< the vibration modes of the belly when it is held so
};

/// "belly_side" (0), "belly_up_down" (1), "ear_left" (2), "ear_right" (3). `more` is put between the
/// bodies and the end of the scene.
std::string sitting_koala(const KoalaSize& size, const std::string& more, const KoalaDrive& drive = {},
                          const KoalaGains& gains = koala_default);
/// Largest error over all targets [%]; not a number where one was not measured.
double worst_error(const design::UnloadingDesign& design);
/// A "design" section with these targets, to be put into the scene.
std::string koala_design(const std::vector<design::UnloadingTarget>& targets);

}  // namespace dashpot::cli
