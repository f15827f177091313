#pragma once
// The bends of a sheet or strand four at a time, for the loops of projective dynamics. bending.hpp has the formulas.
// Floor: four nodes gathered twice (place and rate) and scattered once: some 20 cycles a bend.

#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

struct Bend;

class BendPacks {
 public:
  /// blocks: n per bend; least_size[e]: |g| below which bend e has no direction; places: where bends are at rest.
  BendPacks(int n, const std::vector<Bend>& bends, const std::vector<int>& blocks,
            const std::vector<double>& least_size, const std::vector<Vec3>& places);
  ~BendPacks();

  /// Psi [J]; gradient += dPsi/dq where given.
  double evaluate(const Vector& q, Vector* gradient);
  /// f += sum_e w_e G_e^T p_e, p_e of length r_e along g_e. Without a direction p_e = g_e: the energy exerts no force.
  void add_projection(const Vector& q, Vector& f);
  /// f += sum_e element_scale[e] w_e G_e^T (what of the rate of g_e is across g_e).
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale, Vector& f);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dashpot
