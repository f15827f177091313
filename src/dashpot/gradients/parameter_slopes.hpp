#pragma once
// How the forces of a System change with its parameters, at one motion: a column d(M a + c + f_int + f_d -
// f_ext)/dtheta_k for each number theta_k asked for. Terms that tell it themselves (add_parameter_forces, one pass for
// all columns) are asked; of others a central difference is taken, of those terms alone that change with the parameter:
// a modulus moves the elasticity and every damping that is made from its stiffness, and nothing else.

#include <memory>
#include <vector>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

class ParameterSlopes {
 public:
  ParameterSlopes() = default;
  /// `values`: indices into System::parameter_values(), one column each. Throws dashpot::Error where a term refuses
  /// other values, or where a parameter belongs to a velocity filter.
  ParameterSlopes(const System& system, const std::vector<int>& values);

  /// A System with a near value. A derivative is the weighted sum over them.
  struct Neighbor {
    std::shared_ptr<const System> system;
    Workspace workspace;
    double weight = 0;  ///< [1 / unit of the parameter]
  };
  std::vector<Neighbor>& neighbors(std::size_t column) { return columns_[column].neighbors; }
  /// Whether what is remembered depends on the parameter itself, beyond the motion.
  bool changes_memory(std::size_t column) const { return !columns_[column].remembering.empty(); }
  const std::vector<std::size_t>& remembering(std::size_t column) const { return columns_[column].remembering; }
  std::size_t num_columns() const { return columns_.size(); }

  /// Holds what the terms hold over a step that begins at `state`.
  void begin_step(const State& state);
  /// slopes.col(k) += dr/dtheta_k [N / unit], what is held is held.
  void add(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
           const StageState& motion, const Instant& instant, Matrix& slopes) const;
  /// products(i, k) += mu.col(i) . dr/dtheta_k: the same for a right side or two, most of it without any column.
  void add_products(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                    const StageState& motion, const Instant& instant, const Matrix& mu, Matrix& products) const;

 private:
  /// Terms of which differences are taken for a column, by their places in the System.
  struct Column {
    std::vector<Neighbor> neighbors;
    std::vector<std::size_t> energies, dissipations;
    std::vector<std::size_t> remembering;  ///< dissipations that change with the parameter and have memory
    bool inertia = false, loads = false;
    bool has_differences() const { return !energies.empty() || !dissipations.empty() || inertia || loads; }
  };
  /// A damping whose neighbors are evaluated together (ViscousOperator::add_near_forces).
  struct Together {
    std::size_t term = 0;
    std::vector<NearDamping> neighbors;
  };
  /// A term that tells its columns itself.
  struct Direct {
    std::size_t term = 0;
    int num_values = 0;        ///< of its own
    std::vector<int> which;    ///< among them
    std::vector<int> columns;  ///< of `slopes`
  };
  /// What a pass over all terms is made at.
  struct Point {
    const System& system;
    const Workspace& workspace;
    const std::vector<Vector>& internal_variables;
    const StageState& motion;
    const Instant& instant;
    EnergyRequest of_energy(std::size_t i) const;
    DissipationRequest of_dissipation(std::size_t j) const;
  };
  void add_told(const Point& at, const Direct& direct, bool is_energy, Matrix& slopes) const;
  /// False: the term does not tell products of all its values.
  bool add_told_products(const Point& at, const Direct& direct, bool is_energy, const Matrix& mu,
                         Matrix& products) const;
  void add_together(const Point& at, const Together& group, Matrix& slopes) const;
  bool add_together_products(const Point& at, const Together& group, const Matrix& mu, Matrix& products) const;
  void add_differences(const Point& at, std::size_t k, Vector& slope) const;
  void make_column(const System& system, int value, Column& column) const;
  void choose_direct(const System& system, const std::vector<int>& values);
  void choose_together(const System& system);
  void add_difference(const Neighbor& neighbor, const Column& column, const std::vector<Vector>& internal_variables,
                      const StageState& motion, const Instant& instant, Vector& sum) const;

  std::vector<Column> columns_;
  std::vector<Direct> energies_, dissipations_;
  std::vector<Together> together_;
};

}  // namespace dashpot
