#pragma once
// Sheets of triangles with a St. Venant-Kirchhoff law in their plane:
//
//     Psi = sum_e A_e/2 E^T C E,   E = (E11, E22, 2 E12) of the Green strain (F^T F - I)/2,   P = F S,  S = C E,
//
// F (3 x 2) maps the plane of the triangle at rest into space (model/triangle_batch.hpp), C [N/m] is a symmetric
// 3 x 3 matrix of each triangle, thickness included: isotropic or orthotropic, in any direction. Rigid motion gives no
// force. Sheets that are compressed buckle: their Hessian F C F^T + S is indefinite, and the projection cuts off the
// negative eigenvalues of S, after which both parts are positive semidefinite. As all St. Venant-Kirchhoff laws it gets
// soft under strong compression. [BonetWood2008; SanchezBanderasOtaduy2018, section 6]

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/rest_positions.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

template <class Kind>
struct SheetTask;

/// C11, C12, C13, C22, C23, C33 [N/m].
using SheetStiffness = std::array<double, 6>;

/// Plane stress of an isotropic sheet: Young's modulus [Pa], Poisson's ratio in (-1, 0.5), thickness [m].
SheetStiffness isotropic_sheet(double young, double poisson, double thickness);
/// Plane stress of a woven sheet, axis 1 the warp: moduli [Pa] along warp and weft, shear modulus [Pa]; poisson: pulled
/// along the warp, how much it contracts along the weft. Positive definite where poisson^2 < warp/weft.
SheetStiffness woven_sheet(double warp, double weft, double shear, double poisson, double thickness);
/// The same material seen from axes turned by -angle [rad]: its first axis stands at `angle` to axis 1.
SheetStiffness turned(const SheetStiffness& C, double angle);
/// The angle of `direction`, projected onto the plane of triangle x0 x1 x2, to the edge from x0 to x1; 0 where it is
/// perpendicular to the plane.
double angle_in_triangle(const Vec3& direction, const Vec3& x0, const Vec3& x1, const Vec3& x2);

class StvkMembrane final : public EnergyTerm, public StiffnessSource, public ModuliSource {
 public:
  /// C of each triangle of the mesh, in its own axes. X: rest positions [m]. Throws Error for matrices that are not
  /// positive semidefinite.
  StvkMembrane(std::string body, std::shared_ptr<TriangleBatch> batch, const std::vector<SheetStiffness>& C,
               const std::vector<Vec3>& X, int first_block);

  const std::string& body() const override { return body_; }
  const std::shared_ptr<TriangleBatch>& batch() const { return batch_; }
  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { batch_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { batch_->bind(pattern); }
  double evaluate(const EnergyRequest& request) const override;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    offers.moduli = this;
    offers.batch = batch_.get();
    return offers;
  }

  int num_elements() const override { return batch_->num_elements(); }
  BlockRange stiffness_blocks() const override { return touched_blocks(); }
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;
  Moduli moduli() const override;
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }

  /// What may be changed, and how C of all triangles follows from the values.
  using Stiffnesses = std::function<std::vector<SheetStiffness>(const double* values)>;
  void set_parameters(ParameterList parameters, Stiffnesses stiffnesses);
  ParameterList parameters() const override { return parameters_; }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  enum class Tangent { exact, projected, gauss_newton };
  double run(const SheetTask<Tangent>& task) const;
  void set_stiffness(const std::vector<SheetStiffness>& C);

  std::string body_;
  std::shared_ptr<TriangleBatch> batch_;
  std::vector<double> packs_;  ///< C of four triangles times their areas [J], lane by lane; zero in surplus lanes
  RestPositions rest_;
  ParameterList parameters_;
  Stiffnesses stiffnesses_;
};

}  // namespace dashpot
