#pragma once
// System: the immutable description of what moves: inertia, energies, dampings, filters, loads, constraints, and the
// block pattern they share. Built once by SystemBuilder; everything that changes lives in State.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/model/constraint.hpp"
#include "dashpot/model/joined_bodies.hpp"
#include "dashpot/model/state.hpp"
#include "dashpot/model/step_guard.hpp"
#include "dashpot/model/term_layers.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/ties.hpp"

namespace dashpot {

/// Scratch of a run, rebuilt from (System, State) by begin_step and never saved.
struct Workspace {
  std::vector<std::shared_ptr<TermScratch>> energy;       ///< one per energy; null where none is needed
  std::vector<std::unique_ptr<TermScratch>> dissipation;  ///< one per dissipation term; null where none is needed
  std::vector<std::unique_ptr<TermScratch>> guard;        ///< one per guard; null where none is needed
  Vector q_start;         ///< where the step began, for guards; empty where there are none
  double time_start = 0;  ///< [s]

  /// Of energy i; null: it has none, or nothing was made.
  TermScratch* of_energy(std::size_t i) const { return i < energy.size() ? energy[i].get() : nullptr; }
  TermScratch* of_guard(std::size_t k) const { return k < guard.size() ? guard[k].get() : nullptr; }
};

class System : public std::enable_shared_from_this<System> {
 public:
  int num_dofs() const { return pattern_->num_dofs(); }
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  const Inertia& inertia() const { return *inertia_; }
  const Kinematics& kinematics() const { return *kinematics_; }
  const std::vector<std::shared_ptr<const EnergyTerm>>& energies() const { return energies_; }
  const std::vector<std::shared_ptr<const DissipationTerm>>& dissipations() const { return dissipations_; }
  /// Energies, and dissipations, that touch different blocks and share vectors.
  const TermLayers& energy_layers() const { return energy_layers_; }
  const TermLayers& dissipation_layers() const { return dissipation_layers_; }
  /// Blocks of dissipation j, within the System.
  BlockRange dissipation_blocks(std::size_t j) const { return dissipation_blocks_[j]; }
  /// Dissipations that can be evaluated in the pass of energy i over the same elements, ascending, and whether
  /// dissipation j is one of some energy.
  const std::vector<int>& companions(std::size_t i) const { return companions_[i]; }
  bool is_companion(std::size_t j) const { return is_companion_[j] != 0; }
  const std::vector<std::shared_ptr<const VelocityFilter>>& filters() const { return filters_; }
  const std::vector<std::shared_ptr<const StepGuard>>& guards() const { return guards_; }
  const std::vector<std::shared_ptr<const ExternalLoad>>& loads() const { return loads_; }
  const std::vector<std::shared_ptr<const Constraint>>& constraints() const { return constraints_; }
  /// Attachments: blocks that follow others.
  const Ties& ties() const { return ties_; }
  /// One entry per dof: 1 free, 0 prescribed or tied.
  const std::vector<std::uint8_t>& is_free() const { return is_free_; }
  /// The free dofs as ranges, ascending: what loops over vectors read without asking dof by dof.
  const std::vector<DofRange>& free_ranges() const { return free_ranges_; }
  bool has_moving_constraints() const { return has_moving_constraints_; }
  /// Rest coordinates (also the default starting point).
  const Vector& rest() const { return rest_; }
  /// True when the Newton matrix is the same for every step of one length: factor once.
  bool has_constant_tangent() const { return has_constant_tangent_; }
  bool is_symmetric() const { return is_symmetric_; }
  /// Different for every System of this process: what was derived from one (a factor) is known to be of it.
  std::uint64_t id() const { return id_; }
  /// The same for its masses: equal where two Systems share them.
  std::uint64_t inertia_id() const { return inertia_id_; }

  /// Names, units and ranges of all parameters; the same for all Systems that come from one by with().
  const ParameterLayout& parameters() const { return *layout_; }
  /// What stands before the names of the parameters of dissipation j, and of filter j.
  const std::string& dissipation_place(std::size_t j) const { return of_dissipation_[j].place; }
  const std::string& filter_place(std::size_t j) const { return of_filter_[j].place; }
  /// Where the values of energy i, and of dissipation j, stand among all, in the order of the term's own.
  const std::vector<ParameterLayout::Range>& energy_ranges(std::size_t i) const { return of_energy_[i].ranges; }
  const std::vector<ParameterLayout::Range>& dissipation_ranges(std::size_t j) const {
    return of_dissipation_[j].ranges;
  }
  /// Their values in this System.
  const std::vector<double>& parameter_values() const { return values_; }
  /// This System with other values, sharing with it what does not change; itself where `values` are its own or empty
  /// and it has those it was built with. Throws dashpot::Error with all values that are out of range.
  std::shared_ptr<const System> with(const std::vector<double>& values) const;
  /// This System with another damping in place of dissipation j, bound as that one is. Its layout follows.
  std::shared_ptr<const System> with_dissipation(std::size_t j, std::shared_ptr<const DissipationTerm> term) const;

  /// State at rest: q = rest with constraints applied at `time`, v = 0, memory zero. a is not yet consistent.
  State initial_state(double time = 0) const;
  /// beside: another workspace of the same run and thread, with which the new one shares the scratch of energies.
  Workspace make_workspace(const Workspace* beside = nullptr) const;
  void begin_step(const State& state, Workspace& workspace) const;
  /// Why a step of dt [s] cannot be followed by some term; empty: it can.
  std::string refusal_reason(const State& state, double dt) const;
  /// The guard that refuses to be led to q at `time` by the step that began with begin_step(); null: none does.
  const StepGuard* refusing_guard(const Workspace& workspace, const Vector& q, double time) const;
  /// Overwrites prescribed entries with their values at `time`, then tied ones; null pointers are skipped.
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const;
  /// Force on the free dofs: adds what acts on tied dofs to what they follow; zero elsewhere.
  void reduce(Vector& f) const;
  /// The displacement from `from` to `to` on dofs that are not free, where d is otherwise made by an integrator.
  void prescribe_displacement(const Vector& from, const Vector& to, Vector& d) const;
  void add_external_force(double time, Vector& f) const;

 private:
  friend class SystemBuilder;
  void make_layout();
  void describe();  ///< what follows from its terms
  void find_companions();
  void replace_terms(const std::vector<double>& values, Replacements& replacements);

  // First: destroyed last, after the terms that use it.
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::shared_ptr<const KeptPart>> kept_parts_;
  std::shared_ptr<const System> first_system_;  ///< that with() started from; null: this is it
  std::shared_ptr<const BlockPattern> pattern_;
  std::shared_ptr<const Inertia> inertia_;
  std::shared_ptr<const Kinematics> kinematics_;
  std::vector<std::shared_ptr<const EnergyTerm>> energies_;
  std::vector<std::shared_ptr<const DissipationTerm>> dissipations_;
  TermLayers energy_layers_, dissipation_layers_;
  std::vector<BlockRange> dissipation_blocks_;
  std::vector<std::vector<int>> companions_;  ///< by energy
  std::vector<std::uint8_t> is_companion_;    ///< by dissipation
  std::vector<std::shared_ptr<const VelocityFilter>> filters_;
  std::vector<std::shared_ptr<const StepGuard>> guards_;
  std::vector<std::shared_ptr<const ExternalLoad>> loads_;
  std::vector<std::shared_ptr<const Constraint>> constraints_;
  Ties ties_;
  std::vector<std::uint8_t> is_free_;
  std::vector<DofRange> free_ranges_;
  Vector rest_;
  bool has_moving_constraints_ = false;
  bool has_constant_tangent_ = false;
  bool is_symmetric_ = true;
  std::uint64_t id_ = 0, inertia_id_ = 0;
  std::shared_ptr<const ParameterLayout> layout_;
  std::vector<double> values_;
  /// What stands before the names of a term's parameters, and where their values are.
  struct TermParameters {
    std::string place;
    std::vector<ParameterLayout::Range> ranges = {};
    std::vector<double> gather(const std::vector<double>& values) const;
  };
  TermParameters of_inertia_;
  std::vector<TermParameters> of_energy_, of_dissipation_, of_filter_, of_load_;
};

/// Where the coordinates of something begin in a System.
struct Place {
  int first_block = 0, first_dof = 0;
};

/// Collects the parts, then builds the shared pattern and binds every term to it. Bodies made of nodes come first;
/// bodies with other coordinates follow (placed_system.hpp puts a whole System there).
class SystemBuilder {
 public:
  SystemBuilder(int block_size, Vector rest);
  SystemBuilder(DofLayout layout, Vector rest);
  /// More blocks behind those there are.
  Place append(const DofLayout& layout, const Vector& rest);

  void set_inertia(std::unique_ptr<Inertia> inertia) { inertia_ = std::move(inertia); }
  void set_kinematics(std::shared_ptr<const Kinematics> kinematics);
  /// Inertia and points of blocks that were appended. Their points follow those there are; returns the number of the
  /// first one.
  int join(const Place& place, std::unique_ptr<Inertia> inertia, std::shared_ptr<const Kinematics> kinematics);
  /// That of the whole System, for terms that act on points; all that has points must have been set or joined before.
  std::shared_ptr<const Kinematics> kinematics();
  /// `place` stands before the names of a term's parameters: its place in a scene; empty: made from body and model.
  void add(std::unique_ptr<EnergyTerm> term, std::string place = {}) {
    energies_.push_back({std::move(term), std::move(place)});
  }
  void add(std::unique_ptr<DissipationTerm> term, std::string place = {}) {
    dissipations_.push_back({std::move(term), std::move(place)});
  }
  void add(std::unique_ptr<VelocityFilter> filter, std::string place = {}) {
    filters_.push_back({std::move(filter), std::move(place)});
  }
  void add(std::unique_ptr<StepGuard> guard) { guards_.push_back(std::move(guard)); }
  void add(std::unique_ptr<ExternalLoad> load, std::string place = {}) {
    loads_.push_back({std::move(load), std::move(place)});
  }
  void add(std::unique_ptr<Constraint> constraint) { constraints_.push_back(std::move(constraint)); }
  /// Ties a node to points; see ties.hpp. A tied node must not be prescribed.
  void add(Tie tie) { ties_.push_back(std::move(tie)); }
  /// Lets the System own something that its terms refer to (e.g. a sum of stiffness sources).
  void keep(std::shared_ptr<const void> object) { kept_.push_back(std::move(object)); }
  /// The same for what refers to terms of the System.
  void keep_part(std::shared_ptr<const KeptPart> part) { kept_parts_.push_back(std::move(part)); }

  /// Throws dashpot::Error for ties that cannot hold.
  std::shared_ptr<const System> build();

 private:
  template <class Term>
  struct Placed {
    std::unique_ptr<Term> term;
    std::string place;
  };
  void make_ties(PatternBuilder& couplings, System& system);
  Tie in_blocks(const Tie& tie);
  DofLayout layout_;
  Vector rest_;
  std::unique_ptr<Inertia> inertia_;
  std::vector<std::unique_ptr<Inertia>> joined_inertias_;
  std::vector<PlacedPoints> kinematics_;
  std::shared_ptr<const Kinematics> made_kinematics_;
  int num_points_ = 0;
  std::vector<Placed<EnergyTerm>> energies_;
  std::vector<Placed<DissipationTerm>> dissipations_;
  std::vector<Placed<VelocityFilter>> filters_;
  std::vector<std::unique_ptr<StepGuard>> guards_;
  std::vector<Placed<ExternalLoad>> loads_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
  std::vector<Tie> ties_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::shared_ptr<const KeptPart>> kept_parts_;
};

}  // namespace dashpot
