#include "reproductions.hpp"

namespace dashpot::cli {

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> table = {
      {"A-cost", "Xu & Barbic 2017, table 1", "time of a full Bathe step of the koala with 0 to 10 damping examples",
       reproduce_a_cost},
      {"A-realtime", "Xu & Barbic 2017, table 2",
       "the koala in 74 coordinates with four nonlinear examples: steps a second", reproduce_a_realtime},
      {"A-integrators", "Xu & Barbic 2017, fig. 10", "energy of a released, undamped beam under seven integrators",
       reproduce_a_integrators},
  };
  return table;
}

}  // namespace dashpot::cli
