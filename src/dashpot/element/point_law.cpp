#include "dashpot/element/point_law.hpp"

#include "dashpot/element/hinge_pass.hpp"
#include "dashpot/element/line_pass.hpp"
#include "dashpot/element/sheet_pass.hpp"
#include "dashpot/element/tet_pass.hpp"

namespace dashpot {

double evaluate_alone(const PointLaw& law, const DissipationRequest& request) {
  if (const TetLaw* of_tets = law.tet_law()) return run_alone(*of_tets, request);
  if (const SheetLaw* of_triangles = law.sheet_law()) return run_alone(*of_triangles, request);
  if (const HingeLaw* of_hinges = law.hinge_law()) return run_alone(*of_hinges, request);
  return run_alone(*law.line_law(), request);
}

}  // namespace dashpot
