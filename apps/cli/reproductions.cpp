#include "reproductions.hpp"

namespace dashpot::cli {

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> table = {
      {"A-integrators", "Xu & Barbic 2017, fig. 10", "energy of a released, undamped beam under seven integrators",
       reproduce_a_integrators},
  };
  return table;
}

}  // namespace dashpot::cli
