#pragma once
// One step that was taken: what is needed to differentiate it.

#include <vector>

#include "dashpot/model/state.hpp"

namespace dashpot {

struct StepRecord {
  State before;
  double dt = 0;          ///< [s]
  std::vector<Vector> d;  ///< displacements of its stages from q_n
};

}  // namespace dashpot
