#pragma once
// Springs along edges:  Psi = sum_e k_e/2 (|x_b - x_a| - L_e)^2  [J].
// With l = |x_b - x_a| and n the unit direction: tension k (l - L), Hessian block k [ n n^T + (1 - L/l)(I - n n^T) ]. A
// compressed spring (l < L) has negative lateral stiffness: the projection clamps 1 - L/l at zero, which is the
// Gauss-Newton part too. A spring of length zero pulls in no direction: its force is zero and its stiffness k I is
// used.
//
// ProjectiveForm: G x = x_b - x_a, w = k, p = L n; where there is no direction, p = x_b - x_a, so that the force
// vanishes there too. Always in double precision; needs no scratch.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/proportional_parameter.hpp"
#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct Spring {
  int a = 0, b = 0;        ///< nodes
  double stiffness = 0;    ///< k [N/m] >= 0
  double rest_length = 0;  ///< L [m] >= 0
};

class Springs final : public EnergyTerm, public StiffnessSource, public ProjectiveForm {
 public:
  /// Node i is block first_block + i; X: rest positions [m], read for StiffnessPart::rest. Throws Error for nodes out
  /// of range, a = b, negative or non-finite k or L.
  Springs(std::string body, std::vector<Spring> springs, const std::vector<Vec3>& X, int first_block);

  /// Springs of one stiffness along edges (two nodes each), unstretched at X.
  static std::vector<Spring> along_edges(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness);

  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return {first_block_, first_block_ + static_cast<int>(X_.size())}; }
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  double evaluate(const EnergyRequest& request) const override;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    offers.laplacian = this;
    offers.projective = this;
    return offers;
  }

  int num_elements() const override { return static_cast<int>(springs_.size()); }
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
  /// One end of a spring as its node sees it: rows of different nodes can be done in parallel.
  struct End {
    int spring, other, slot;  ///< slot of block (node, other)
  };
  /// f_i += sum of of_end(d, end, i) over the springs that end at node i; d points from i to their other end.
  template <class OfEnd>
  void add_to_nodes(Vector& f, const Vector& q, const OfEnd& of_end) const;
  double visit(const Vec3* rest, const double* q, double* gradient, BlockMatrix* K, const double* element_scale,
               double scale, Lateral lateral) const;

  std::string body_;
  std::vector<Spring> springs_;  ///< nodes already offset by first_block
  std::vector<Vec3> X_;          ///< by node
  int first_block_ = 0;
  std::vector<int> start_, diagonal_;  ///< ends of node i: ends_[start_[i]] .. ; its diagonal slot
  std::vector<End> ends_;              ///< by node
  ProportionalParameter parameter_;
};

}  // namespace dashpot
