#pragma once
// A rope bridge of nine bodies that are tied to each other, and two elastic bars that fall on it (paper C, fig. 3).

#include <string>

#include "step_contest.hpp"

namespace dashpot::cli {

struct RopeBridge {
  int planks = 7;                                        ///< odd
  double end = 0.1;                                      ///< [s]
  double rope_spacing = 0.0537, plank_spacing = 0.0717;  ///< of the lattices the bodies are meshed on [m]
  double speed = 1;                                      ///< at which the bars fall at the start [m/s]
  double height = 0.01;                                  ///< of the bars over the planks at the start [m]
  bool has_bars = true;
  bool starts_in_equilibrium = false;
};

std::string bridge_scene(const RopeBridge& setup, const DampingOf& damping, double dt);

}  // namespace dashpot::cli
