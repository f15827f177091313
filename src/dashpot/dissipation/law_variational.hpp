#pragma once
// The point law of variational damping (variational.hpp). With F_n the deformation gradient at the start of the step,
//     P = 2 eta J_n strain(Fdot F_n^-1) F_n^-T,   J_n = det F_n.
// F_n^-1 and J_n are held over the step. For .cpp files of kernels only.

#include <memory>
#include <vector>

#include "dashpot/element/tet_law.hpp"

namespace dashpot {

class VariationalLaw final : public TetLaw {
 public:
  /// viscosity [Pa s] of each tet of the mesh.
  VariationalLaw(std::shared_ptr<const TetBatch> batch, const std::vector<double>& viscosity);

  const TetBatch& batch() const override { return *batch_; }
  TangentForm tangent_form() const override { return TangentForm::blocks; }
  bool has_symmetric_tangent(const DissipationRequest&) const override { return true; }
  void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
               GreenTangent<math::Pack4>& green, StiffnessPacks blocks) const override;

  std::unique_ptr<TermScratch> make_scratch() const;
  void begin_step(const Vector& q, TermScratch& scratch) const;

 private:
  /// What is held at one point of four tets; zeros where the element is collapsed or inverted: it is not damped.
  struct Held {
    math::Matrix3<math::Pack4> inverse;  ///< F_n^-1
    math::Pack4 volume;                  ///< J_n
  };
  struct Scratch final : TermScratch {
    std::vector<Held> held;  ///< by pack, then quadrature point
  };
  template <int N>
  void hold(const double* q, int begin, int end, std::vector<Held>& held) const;

  std::shared_ptr<const TetBatch> batch_;
  std::vector<math::Pack4> twice_viscosity_;  ///< 2 eta of four tets
};

}  // namespace dashpot
