#pragma once
// Which vibrations an example damps. A gain acts on the part of a velocity that lies along its example x in the inner
// product of C. Of the damping phi^T C phi of a mode it therefore changes the share
//
//     s = (phi^T C x)^2 / ((x^T C x) (phi^T C phi)),   0 <= s <= 1,
//
// the squared cosine of the angle between them. A shape that is bent by hand or pulled far holds stiff, fast parts that
// hardly show but dominate x^T C x: its gain then changes nothing that anybody sees.  [XuBarbic2017, sec. 4]

#include <string>
#include <vector>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot::design {

struct ModeShares {
  std::vector<double> frequencies;  ///< of the slowest modes that the damping sees [Hz], ascending
  Matrix shares;                    ///< examples x modes, 0 to 1
  /// Largest share of example i over these modes, and the number of that mode, from 1.
  double largest(int i) const;
  int largest_mode(int i) const;
};

/// Of the `num_modes` slowest vibrations about rest. Empty where modes cannot be had at a reasonable cost (more than
/// 60000 dofs) or at all.
ModeShares mode_shares(const System& system, const ExampleBased& term, int num_modes = 8);

/// Examples that change less than a tenth of the damping of each of these modes, in words, with the remedy.
std::vector<std::string> idle_example_warnings(const ModeShares& shares, const ExampleBased& term);

}  // namespace dashpot::design
