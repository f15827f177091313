#pragma once
// The koala of paper A with damping examples, for benchmarks and reproductions: it sits on its held seat, is pulled at
// the belly and let go.

#include <string>

namespace dashpot::cli {

constexpr int max_koala_examples = 10;

/// A scene: St. Venant-Kirchhoff, Rayleigh damping with the lagged stiffness, Bathe, steps of 10 ms. The first
/// `num_examples` of: belly sideways, belly up and down (static pulls), left ear, right ear (bent), left arm, right
/// arm, lean sideways, lean forward, twist, stretch; each with a gain that depends on displacement. 0: Rayleigh alone.
std::string koala_scene(int tets, int num_examples);

}  // namespace dashpot::cli
