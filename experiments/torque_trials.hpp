#pragma once
// Every way to damp relative motion without torque, tried on many random states of a small body: what happens to linear
// and angular momentum and to kinetic energy, and how far from its cause a change of velocity is felt.

#include <string>
#include <vector>

#include "dashpot/dissipation/torque_free.hpp"

namespace dashpot::cli {

struct TorqueForm {
  enum class Scope { body, tets, point_forces };  ///< global damping, local damping, point damping made torque-free
  Scope scope = Scope::body;
  TorqueElimination elimination = TorqueElimination::rigid;

  std::string name() const;
  bool is_safe() const { return dashpot::is_safe(elimination); }
};
/// All that are compared; each tells of at least one thing in the paper.
std::vector<TorqueForm> all_torque_forms();

struct TorqueTrial {
  TorqueForm form;
  int states = 0, grew = 0;       ///< states, and those whose kinetic energy grew by more than round-off
  double worst_growth = 0;        ///< largest relative growth of kinetic energy; <= 0: it never grew
  double worst_growth_equal = 0;  ///< the same among states of equal masses
  double momentum_change = 0;     ///< largest |dP|, relative to sum m |v|
  double angular_change = 0;      ///< largest |dL|, relative to sum m |x| |v|
  double energy_taken = 0;        ///< mean relative loss of the energy that is not rigid motion
  /// Of all |m dv|, how much acts on the half of a bar in which nothing moves; not a number: no impulse at all.
  double far_share = 0;
};

/// `count` random states: masses equal, over two and over six powers of ten; spins of 0, 1 and 10 rad/s; gamma 0.1, 0.5
/// and 1.
std::vector<TorqueTrial> try_torque_forms(const std::vector<TorqueForm>& forms, int count);

}  // namespace dashpot::cli
