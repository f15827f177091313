#pragma once
// Bending of sheets and strands by second differences of node positions:
//
//     Psi = sum_e w_e/2 (|g_e| - r_e)^2,     g_e = sum_i c_ei x_i   (over the 4 nodes of a hinge, 3 of a strand's
//     bend).
//
// Straight rest shapes have r = 0: Psi = sum w/2 |g|^2 is quadratic, its Hessian constant. Curved ones have r = |g| at
// rest; the bend keeps its size but may take it in any direction: to the other side too, which this energy does not
// know from the right one.
//
// Hinge (edge i j, opposite corners k l, triangles of areas A0 and A1 at rest), flat at rest [Bergou2006]:
//     c_i = cot(angle at j in both triangles, summed), c_j = the same at i, c_k = -(cotangents at i and j in triangle
//     i j k), c_l likewise; w = k_b / (A0 + A1),  k_b = E h^3 / (12 (1 - nu^2))  [J].
// For a sheet bent without stretch |g| = 2 l sin(theta/2), l the edge, theta the angle between its triangles; the
// energy tends to k_b/2 integral H^2 dA, H the sum of the principal curvatures: k_b A / (2 R^2) for a cylinder.
// [Bergou2006] has w = 3 k_b / (A0 + A1), three times that: there each edge counts for a third of its triangles as if
// all three edges bent alike, but one of them takes the bend. Exact in the limit for equilateral triangles in every
// direction, and for squares cut in two when bent along their sides or across their cuts; bent along the cuts squares
// are three times too stiff (cuts that alternate: 1.5 times, along either diagonal). Made for sheets that hardly
// stretch: the energy of a saddle is too small.
//
// Bend of a strand at node i between x_h and x_j, edges l1 and l2 long:
//     g = (x_j - x_i)/l2 - (x_i - x_h)/l1,  w = 2 EI / (l1 + l2),  EI [N m^2]: EI/2 integral kappa^2 ds.
//
// Gauss-Newton part: only the component along g, which rotation does not see; where g vanishes, all of it. Projections
// of ProjectiveForm are vectors of length r along g, in double precision, and need no scratch.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/core/spare.hpp"
#include "dashpot/energy/bend_packs.hpp"
#include "dashpot/energy/proportional_parameter.hpp"
#include "dashpot/energy/rest_positions.hpp"
#include "dashpot/model/element_chunks.hpp"
#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct Bend {
  std::array<int, 4> nodes{};            ///< the fourth of a strand's bend is not read
  std::array<double, 4> coefficients{};  ///< c, sum zero
  double weight = 0;                     ///< w >= 0; w |g|^2 in [J]
  double rest = 0;                       ///< r >= 0, in the unit of g
};

/// What the rest shape of a mesh means for its bends.
enum class RestBend { straight, as_mesh };

/// The hinges between triangles (three nodes each) that share an edge; stiffness[e] of triangle e: k_b [J], the mean of
/// both acts. Edges of one triangle do not bend; at edges of three or more, each pair of neighbours in the list is a
/// hinge.
std::vector<Bend> hinges(const std::vector<int>& triangles, const std::vector<Vec3>& X,
                         const std::vector<double>& stiffness, RestBend rest = RestBend::straight);
/// Bends at the nodes where exactly two edges (two nodes each) meet; stiffness: EI [N m^2].
std::vector<Bend> strand_bends(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness,
                               RestBend rest = RestBend::straight);

class Bending final : public EnergyTerm, public StiffnessSource, public ProjectiveForm {
 public:
  /// nodes_per_bend: 4 (hinges) or 3 (strands). X: rest positions [m]; node i is block first_block + i. Throws Error
  /// for nodes out of range and weights or rest values that are negative or not finite.
  Bending(std::string body, int nodes_per_bend, std::vector<Bend> bends, const std::vector<Vec3>& X, int first_block);

  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return chunks_.touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { chunks_.couple(pattern); }
  void bind(const BlockPattern& pattern) override { chunks_.bind(pattern); }
  double evaluate(const EnergyRequest& request) const override;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    offers.laplacian = this;
    offers.projective = this;
    return offers;
  }
  bool is_quadratic() const override { return is_quadratic_; }

  int num_elements() const override { return static_cast<int>(bends_.size()); }
  BlockRange stiffness_blocks() const override { return touched_blocks(); }
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;

  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override;
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override;
  std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision) const override { return nullptr; }
  void begin_projection(const Vector&, TermScratch*) const override {}
  void add_projection(const Vector& q, TermScratch* scratch, Vector& f) const override;
  /// Says what the stiffness of its elements is proportional to, which becomes its parameter.
  void set_parameter(ProportionalParameter parameter) { parameter_ = std::move(parameter); }
  ParameterList parameters() const override { return parameter_.parameters(); }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  enum class Lateral { exact, clamped, none };
  struct Task;
  Vec3 difference(const double* q, int e) const;
  void scatter(int e, const Vec3& force, Vector& f) const;
  /// |g| where it counts as a direction, else 0.
  template <class Use>
  void with_packs(const Use& use) const;
  double size_of(const Vec3& g, int e) const;
  double run(const Task& task) const;

  std::string body_;
  int n_;
  std::vector<Bend> bends_;
  std::vector<double> scale_;  ///< size of the terms of g, to tell a direction from round-off
  RestPositions rest_;
  bool is_quadratic_ = true;
  ElementChunks chunks_;
  mutable Spare<BendPacks> packs_;  ///< the bends once more, four at a time
  ProportionalParameter parameter_;
};

}  // namespace dashpot
