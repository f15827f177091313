// D-sphere-tension: paper D, figure 7 and table 1. A law whose curve in tension was drawn by hand, learned from a ball.
#include "edited_rubber.hpp"

namespace dashpot::cli::d_sphere_tension {
namespace {

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  return reproduce_ball(request, EditedPart::tension, 4.1);
}

}  // namespace

Reproduction reproduction() {
  return {"D-sphere-tension", "Wang et al. 2020, fig. 7, table 1",
          "a law with an edited curve in tension learned from the surface of a moved ball", reproduce,
          "a ball of 14,580 tets, 400 frames (table 1: 12,712)"};
}

}  // namespace dashpot::cli::d_sphere_tension
