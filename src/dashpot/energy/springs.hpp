#pragma once
// Springs along edges:  Psi = sum_e k_e/2 (|x_b - x_a| - L_e)^2  [J]: a LineElasticity with y = x_b - x_a, w = k, r =
// L. With l = |x_b - x_a| and n the unit direction: tension k (l - L), Hessian block k [ n n^T + (1 - L/l)(I - n n^T)
// ]. A spring of length zero pulls in no direction: its force is zero and its stiffness k I is used.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/line_elasticity.hpp"

namespace dashpot {

struct Spring {
  int a = 0, b = 0;        ///< nodes
  double stiffness = 0;    ///< k [N/m] >= 0
  double rest_length = 0;  ///< L [m] >= 0
};

class Springs final : public LineElasticity {
 public:
  /// Node i is block first_block + i; X: rest positions [m], read for StiffnessPart::rest. Throws Error for nodes out
  /// of range, a = b, negative or non-finite k or L.
  Springs(std::string body, const std::vector<Spring>& springs, const std::vector<Vec3>& X, int first_block);

  /// Springs of one stiffness along edges (two nodes each), unstretched at X.
  static std::vector<Spring> along_edges(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness);

  /// All nodes of the body.
  BlockRange touched_blocks() const override { return nodes_; }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  BlockRange nodes_;
};

}  // namespace dashpot
