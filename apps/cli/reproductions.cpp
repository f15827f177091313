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
      {"A-anisotropic", "Xu & Barbic 2017, fig. 3",
       "damping of one direction of a bunny, three times Rayleigh's, and of no other", reproduce_a_anisotropic},
      {"A-contact", "Xu & Barbic 2017, fig. 4",
       "four balls hit a bunny that is damped less along one direction; couplings of examples compared",
       reproduce_a_contact},
      {"A-caughey", "Xu & Barbic 2017, sec. 4.1.2", "modes as examples have the ratios of Caughey's series",
       reproduce_a_caughey},
      {"A-ablation", "Xu & Barbic 2017, sec. 4.1", "couplings of examples, and which of them make energy",
       reproduce_a_ablation},
      {"A-not-elasticity", "Xu & Barbic 2017, figs. 5, 7",
       "anisotropic and nonlinear elasticity cannot imitate designed damping", reproduce_a_not_elasticity},
      {"A-unloading", "Xu & Barbic 2017, figs. 8, 9", "a gain found from what is left after one swing of a koala",
       reproduce_a_unloading},
      {"A-koala", "Xu & Barbic 2017, fig. 2",
       "a koala's belly and ears: gains drawn by hand, and gains for four targets", reproduce_a_koala},
      {"A-elephant", "Xu & Barbic 2017, fig. 11",
       "trunk and ears of a walking elephant: three designs against Rayleigh damping", reproduce_a_elephant},
      {"A-rig", "Xu & Barbic 2017, fig. 13",
       "the koala's damping, designed once, on three motions of its seat in 74 coordinates", reproduce_a_rig},
      {"A-dragon", "Xu & Barbic 2017, fig. 12",
       "a dragon's mouth closes as asked, first fast, then slowly; no linear damping does", reproduce_a_dragon},
      {"A-leaf", "Xu & Barbic 2017, figs. 1, 14",
       "a leaf hit from three directions: damping by speed, stronger up and down than sideways", reproduce_a_leaf},
      {"A-static", "Xu & Barbic 2017, figs. 12a, 14a", "elasticity from load tests and rest shape from a sagged pose",
       reproduce_a_static},
      {"E-cost", "Li, Liu & Kavan 2018, table 1", "time of a frame of projective dynamics, with and without damping",
       reproduce_e_cost},
      {"E-ribbon", "Li, Liu & Kavan 2018, fig. 2",
       "a ribbon on a circling wand: its tail under PBD damping and under Laplacian damping", reproduce_e_ribbon},
      {"E-hair", "Li, Liu & Kavan 2018, fig. 7",
       "strands of springs shaken from side to side, with and without damping", reproduce_e_hair},
      {"E-sheet", "Li, Liu & Kavan 2018, fig. 8", "a sheet drops, with steps of 33, 1.65 and 0.165 ms",
       reproduce_e_sheet},
      {"E-spin", "ours, after Li, Liu & Kavan 2018", "what each damping does to the angular momentum of a free body",
       reproduce_e_spin},
      {"E-penguin", "Li, Liu & Kavan 2018, fig. 1",
       "least ether drag and least Laplacian damping that keep a bouncing penguin stable", reproduce_e_penguin},
      {"E-pig", "Li, Liu & Kavan 2018, figs. 3, 4",
       "a pig's snout, pulled and let go: Laplacian against lagged Rayleigh damping", reproduce_e_pig},
      {"E-dummy", "Li, Liu & Kavan 2018, figs. 5, 6", "a punched dummy: Laplacian against variational damping",
       reproduce_e_dummy},
  };
  return table;
}

}  // namespace dashpot::cli
