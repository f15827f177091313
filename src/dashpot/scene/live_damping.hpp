#pragma once
// A damping of a compiled scene that may be changed while it runs. Only scenes solved by projective dynamics offer it:
// there a change costs one new factor and standing still costs nothing, while Newton's method would lose a constant
// matrix.

#include <memory>
#include <string>

namespace dashpot {

class LaplacianCoefficients;

struct LiveDamping {
  std::string body, model;     ///< "penguin", "laplacian"
  double alpha = 0, beta = 0;  ///< [1/s], [s] as the scene has them outside its regions; what is 0 stays 0
  /// Factors on alpha and beta, 1 at the start. Set them between steps (RealtimeLoop::post). The damping of the
  /// compiled System shares them: another run of it needs them set back.
  std::shared_ptr<LaplacianCoefficients> factors;
};

}  // namespace dashpot
