#pragma once
// A damping as a law at a point of the elements of a batch: given how the element moves there, it answers with a stress
// and its tangents. The pass over the batch gathers the motion once for all the laws it is given, and scatters forces
// and one tangent. A law is of one kind: of tets (tet_law.hpp), triangles (sheet_law.hpp), springs and bends
// (line_law.hpp), or hinges (hinge_law.hpp).

#include "dashpot/model/element_batch.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class HingeLaw;
class LineLaw;
class SheetLaw;
class TetLaw;

class PointLaw {
 public:
  virtual ~PointLaw() = default;
  virtual const ElementBatch& batch() const = 0;
  /// Whether dv_scale df/dv + dq_scale df/dq is symmetric.
  virtual bool has_symmetric_tangent(const DissipationRequest& request) const = 0;
  /// Numbers that are the same at all points of a pass (what a stage's time makes of relaxation times): how many, and
  /// what they are. The pass has them written once and hands them on with every point.
  virtual int num_pass_numbers() const { return 0; }
  virtual void write_pass_numbers(const DissipationRequest& request, double* numbers) const {
    static_cast<void>(request), static_cast<void>(numbers);
  }
  /// The law as what it is; null: it is of another kind.
  virtual const TetLaw* tet_law() const { return nullptr; }
  virtual const SheetLaw* sheet_law() const { return nullptr; }
  virtual const LineLaw* line_law() const { return nullptr; }
  virtual const HingeLaw* hinge_law() const { return nullptr; }
};

/// A damping alone: adds its force and tangent, writes its memory, returns its power [W].
double evaluate_alone(const PointLaw& law, const DissipationRequest& request);

}  // namespace dashpot
