#pragma once
// The bar of reference D, section 8: 6 x 2 x 2 cells of 15 mm, held at one end, let go under gravity, followed by
// backward Euler with steps of 2.5 ms. Its rubbers are those of the paper's turtle (neo-Hookean, 20 kPa, nu 0.43) and
// of its spheres (the same with an edited compression region); believed is a corotational law of 35 kPa.

#include <string>

namespace dashpot::cli {

struct RubberBar {
  double end = 0.4;            ///< [s]
  std::string gravity = {};    ///< empty: straight down
  bool is_held = true;         ///< at one end
  std::string damping = "[]";  ///< JSON

  /// With this material (JSON members), as JSON.
  std::string scene(const std::string& material) const;
};

/// "model": "neo_hookean", 20 kPa.
std::string neo_hookean_rubber();
/// The same law with f(s) = mu (s - 1/s) stiffened below s = 1, as a curve through points, and h(J) = lambda (J - 1).
std::string edited_rubber();
/// "model": "corotational", 35 kPa: what is believed.
std::string believed_rubber();
/// The same with weights to be learned, of knots as near as the points of the edited curve.
std::string learnable_rubber();
/// Any law with these moduli [Pa].
std::string rubber(const std::string& model, double young, double poisson);

}  // namespace dashpot::cli
