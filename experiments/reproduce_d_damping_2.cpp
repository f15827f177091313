// D-damping-2: paper D, figure 9 and table 1. A damping that follows the largest stretch, learned from a bar.
#include "stretch_damping.hpp"

namespace dashpot::cli::d_damping_2 {
namespace {

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  return reproduce_damping(request, TrueDamping::bump, 0.8);
}

}  // namespace

Reproduction reproduction() {
  return {"D-damping-2", "Wang et al. 2020, fig. 9, table 1", "strain-dependent damping learned from a falling bar",
          reproduce, "800 frames (table 2)"};
}

}  // namespace dashpot::cli::d_damping_2
