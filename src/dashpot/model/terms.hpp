#pragma once
// The forces of a System, as terms. Equation of motion, one sign convention everywhere:
//
//     M(q) a + c(q,v)  +  sum_i dPsi_i/dq (q)  +  sum_j f_j(q,v)  =  f_ext(t)
//
// so a damping force f_j = C v stands on the left, and its power v . f_j >= 0 is what is lost. Terms write their
// tangents into slots of one BlockMatrix; slots are looked up once, in bind().

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/model/capabilities.hpp"
#include "dashpot/model/kinematics.hpp"
#include "dashpot/model/parameters.hpp"
#include "dashpot/model/pattern_builder.hpp"
#include "dashpot/model/replacements.hpp"
#include "dashpot/model/state.hpp"

namespace dashpot {

/// What to do with negative curvature of an element's tangent.
enum class Projection { none, positive_semidefinite };

struct DissipationRequest;
/// A damping that is evaluated in the pass of an energy over the same elements (element/point_law.hpp).
struct LawCall {
  const PointLaw* law = nullptr;
  const DissipationRequest* request = nullptr;
};

/// What a caller wants of an energy at q. Null pointers are not computed; results are ADDED.
struct EnergyRequest {
  const Vector& q;
  Vector* gradient = nullptr;      ///< += dPsi/dq [N]
  BlockMatrix* hessian = nullptr;  ///< += hessian_scale * d2Psi/dq2 [N/m]
  double hessian_scale = 1;
  Projection projection = Projection::none;
  double time = 0;  ///< [s]; only energies of prescribed motions (moving colliders) depend on it
  /// Blocks of the scaled Hessian between nodes that no slot couples (bodies that touch); null: they are left out.
  DynamicBlocks* couplings = nullptr;
  /// Dampings to evaluate along, at the same q; only for energies that offer a batch, and laws on that batch. Their
  /// requests want a tangent where `hessian` does, in the same matrix. Their power is not returned.
  std::span<const LawCall> companions = {};
  /// What make_scratch() of this energy made, used by one evaluation at a time; null: buffers are made anew.
  TermScratch* scratch = nullptr;
};

/// `contact` is the energy stored in penalties; it counts as elastic, in a column of its own.
enum class EnergyKind { elastic, gravity, contact };

/// A conservative force: energy Psi(q) [J], its gradient and its Hessian.
class EnergyTerm {
 public:
  virtual ~EnergyTerm() = default;
  virtual EnergyKind kind() const { return EnergyKind::elastic; }
  /// Body this energy belongs to; the ledger column is "elastic.<body>".
  virtual const std::string& body() const = 0;
  /// Blocks whose coordinates it reads and on which its forces act; it writes nothing outside. Terms that touch
  /// different blocks share vectors, so that cost and memory stay linear in bodies (term_layers.hpp).
  virtual BlockRange touched_blocks() const { return BlockRange::all(); }
  virtual void couple(PatternBuilder& pattern) const = 0;
  virtual void bind(const BlockPattern& pattern) = 0;
  /// Buffers and results to come back to, which a run owns (EnergyRequest::scratch); null: it has no use for any.
  virtual std::unique_ptr<TermScratch> make_scratch() const { return nullptr; }
  /// Whose scratch that is: an energy that wraps another one names that.
  virtual const EnergyTerm& scratch_owner() const { return *this; }
  /// Returns Psi(q) [J]; +infinity where the energy is undefined (e.g. an inverted neo-Hookean tet).
  virtual double evaluate(const EnergyRequest& request) const = 0;
  /// What it offers besides this interface.
  virtual EnergyCapabilities capabilities() const { return {}; }
  /// True when the Hessian does not depend on q (linear elasticity): the factor can be reused.
  virtual bool is_quadratic() const { return false; }
  /// Why a step of dt [s] from this state cannot be followed (bodies would pass through each other), in plain words;
  /// empty: it can. The stepper then fails, and is asked for a shorter step.
  virtual std::string refusal_reason(const State& state, double dt) const {
    return static_cast<void>(state), static_cast<void>(dt), std::string();
  }
  /// dPsi/dt at fixed q [W]: what prescribed motions put into this energy. The ledger books it as external work.
  /// `scratch` as in EnergyRequest.
  virtual double driven_power(const Vector& q, double time, TermScratch* scratch) const {
    return static_cast<void>(q), static_cast<void>(time), static_cast<void>(scratch), 0;
  }
  /// Numbers that may be changed; none: it has none, or nobody made them changeable yet.
  virtual ParameterList parameters() const { return {}; }
  /// This energy with other values of its parameters (all of them, in order), bound as this one is; null: nothing of it
  /// changes.
  virtual std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const {
    return static_cast<void>(values), static_cast<void>(replacements), nullptr;
  }
  /// gradient[k] += weights . d(dPsi/dq)/dtheta_k for the parameter values theta_k, in one pass over the elements.
  /// Returns for how many of them, counted from the first; 0: not offered.
  virtual int add_parameter_gradient(const EnergyRequest& request, const Vector& weights, double* gradient) const {
    return static_cast<void>(request), static_cast<void>(weights), static_cast<void>(gradient), 0;
  }
  /// columns.col(i) += d(dPsi/dq)/dtheta_k with k = which[i], a number among its own parameter values. False: not
  /// offered for all of these, and nothing was added.
  virtual bool add_parameter_forces(const EnergyRequest& request, std::span<const int> which, Matrix& columns) const {
    return static_cast<void>(request), static_cast<void>(which), static_cast<void>(columns), false;
  }
};

/// Scratch of an energy in a run.
struct EnergyScratch {
  const EnergyTerm* owner = nullptr;
  TermScratch* scratch = nullptr;
};

/// What takes energy: `friction` and `impact` act where bodies touch, and are booked in the column "contact" instead of
/// "damping.<body>.<model>".
enum class LossKind { damping, friction, impact };

/// Honest claims about a damping model; law tests check them for every registered model.
struct DissipationTraits {
  bool objective = false;               ///< no force under rigid motion of the deformed body
  bool keeps_linear_momentum = false;   ///< forces sum to zero
  bool keeps_angular_momentum = false;  ///< torques sum to zero
  bool symmetric = true;                ///< df/dv is symmetric, df/dq is zero or symmetric
  bool has_memory = false;              ///< declares internal variables xi
  bool constant = false;                ///< df/dv is constant, df/dq = 0: the factor can be reused
  bool linear_in_velocity = true;       ///< twice the velocity, twice the force
  bool exact_in_place = true;           ///< the tangent's df/dq is the derivative; else a semidefinite stand-in for it
};

struct DissipationRequest {
  const Vector& q;
  const Vector& v;
  const Vector& internal_variables;  ///< xi at the start of the step (size num_internal_variables)
  double dt = 0;                     ///< time since the start of the step [s] at this stage
  const TermScratch* scratch;        ///< what begin_step left
  Vector* force = nullptr;           ///< += f_j [N]
  bool force_is_zero = false;  ///< *force holds zeros on touched_blocks(): it may be written, which need not read it
  BlockMatrix* tangent = nullptr;  ///< += dv_scale df/dv + dq_scale df/dq (sparse part)
  double dv_scale = 0;
  double dq_scale = 0;
  std::vector<LowRank>* low_rank = nullptr;  ///< dense low-rank parts of dv_scale df/dv + dq_scale df/dq are appended
  Vector* new_internal_variables = nullptr;  ///< xi at this stage is written here
  /// What is written there takes in the rates at both ends of the step too, where strain was taken to move evenly:
  /// third order instead of second, for steppers that have it.
  bool follows_rates = false;
  double time = 0;                     ///< [s]; only prescribed motions (moving colliders) depend on it
  DynamicBlocks* couplings = nullptr;  ///< blocks of the tangent outside the pattern; null: they are left out
  /// += f . v_given [W], the power this force gives to prescribed motions (a conveyor belt). The ledger books it as
  /// external work; the loss is the rest, f . (v - v_given).
  double* driven_power = nullptr;
};

/// A lossy force f(q, v, xi).
class DissipationTerm {
 public:
  virtual ~DissipationTerm() = default;
  virtual const std::string& body() const = 0;
  /// Model name; the ledger column is "damping.<body>.<model>".
  virtual std::string model() const = 0;
  virtual DissipationTraits traits() const = 0;
  /// Blocks whose motion it reads and on which its forces act; it writes nothing outside.
  virtual BlockRange touched_blocks() const { return BlockRange::all(); }
  virtual void couple(PatternBuilder& pattern) const = 0;
  virtual void bind(const BlockPattern& pattern) = 0;
  virtual int num_internal_variables() const { return 0; }
  /// Energy [J] that the internal variables store (the springs of a viscoelastic law). The ledger books it as elastic
  /// and only the rest of the work as lost.
  virtual double stored_energy(const Vector& internal_variables) const {
    return static_cast<void>(internal_variables), 0;
  }
  /// Scratch of its own; it may keep and use those of the energies that it builds on. A damping that wraps another
  /// hands them on.
  virtual std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const {
    return static_cast<void>(energies), nullptr;
  }
  std::unique_ptr<TermScratch> make_scratch() const { return make_scratch_beside({}); }
  /// Computes what is held over a step (e.g. the lagged tangent at q_n). Same State, same scratch: bit for bit.
  virtual void begin_step(const State& state, TermScratch* scratch) const { (void)state, (void)scratch; }
  /// Returns the power v . f [W].
  virtual double evaluate(const DissipationRequest& request) const = 0;
  /// As of an EnergyTerm: why a step of dt [s] from this state cannot be followed; empty: it can.
  virtual std::string refusal_reason(const State& state, double dt) const {
    return static_cast<void>(state), static_cast<void>(dt), std::string();
  }
  virtual LossKind kind() const { return LossKind::damping; }
  bool is_contact() const { return kind() != LossKind::damping; }
  /// What it offers besides this interface.
  virtual DissipationCapabilities capabilities() const { return {}; }
  /// As of an EnergyTerm.
  virtual ParameterList parameters() const { return {}; }
  virtual std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const {
    return static_cast<void>(values), static_cast<void>(replacements), nullptr;
  }
  /// gradient[k] += weights . df/dtheta_k; what is held over a step is held at the same state.
  virtual int add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const {
    return static_cast<void>(request), static_cast<void>(weights), static_cast<void>(gradient), 0;
  }
  /// As of an EnergyTerm: columns.col(i) += df/dtheta_k; what is held over a step is held at the same state.
  virtual bool add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                                    Matrix& columns) const {
    return static_cast<void>(request), static_cast<void>(which), static_cast<void>(columns), false;
  }
};

/// Changes velocities after (implicit) or before (explicit) the position advance: v <- v'.
class VelocityFilter {
 public:
  virtual ~VelocityFilter() = default;
  virtual const std::string& body() const = 0;
  virtual std::string model() const = 0;
  virtual DissipationTraits traits() const = 0;
  /// Filters v in place over a step of length dt [s]; prescribed dofs are restored by the caller.
  virtual void apply(const Vector& q, double dt, Vector& v) const = 0;
  /// Why this filter cannot follow a step of dt [s] (it would overshoot, and add energy), in plain words with the
  /// remedy; empty: it can. The stepper then fails, and is asked for a shorter step.
  virtual std::string refusal_reason(double dt) const { return static_cast<void>(dt), std::string(); }
  /// As of an EnergyTerm.
  virtual ParameterList parameters() const { return {}; }
  virtual std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const {
    return static_cast<void>(values), static_cast<void>(replacements), nullptr;
  }
};

/// M(q) a + c(q, v). Constant nodal mass is the common case; yarns and polar coordinates are not.
class Inertia {
 public:
  virtual ~Inertia() = default;
  virtual void couple(PatternBuilder& pattern) const = 0;
  virtual void bind(const BlockPattern& pattern) = 0;
  /// True when M does not depend on q and c = 0.
  virtual bool is_constant() const = 0;
  /// True when add_tangent() is symmetric for any scales; M alone always is.
  virtual bool has_symmetric_tangent() const { return is_constant(); }
  /// True when M is diagonal (lumped).
  virtual bool is_diagonal() const { return false; }
  /// f += M(q) a + c(q, v).
  virtual void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const = 0;
  /// A += mass_scale M + velocity_scale dc/dv + position_scale d(M a + c)/dq.
  virtual void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                           double position_scale, BlockMatrix& matrix) const = 0;
  virtual double kinetic_energy(const Vector& q, const Vector& v) const = 0;
  virtual LinearAngular momentum(const Vector& q, const Vector& v) const = 0;
  /// Densities; names are whole, as in the layout of the System.
  virtual ParameterList parameters() const { return {}; }
  /// This inertia with other values of its parameters; enters the mass sources that it replaced.
  virtual std::shared_ptr<const Inertia> remade(const double* values, Replacements& replacements) const {
    return static_cast<void>(values), static_cast<void>(replacements), nullptr;
  }
};

/// A force given in time: f_ext(t) [N].
class ExternalLoad {
 public:
  virtual ~ExternalLoad() = default;
  virtual void add_force(double time, Vector& f) const = 0;
  /// As of an EnergyTerm.
  virtual ParameterList parameters() const { return {}; }
  virtual std::shared_ptr<ExternalLoad> remade(const double* values, const Replacements& replacements) const {
    return static_cast<void>(values), static_cast<void>(replacements), nullptr;
  }
};

/// Which stiffness a damping model multiplies.
enum class StiffnessPart {
  rest,               ///< K at the rest shape: constant, but it damps rigid rotation
  projected_tangent,  ///< full tangent at q, projected to be positive semidefinite element by element
  gauss_newton,       ///< projected_tangent without the geometric (stress) term: PSD and blind to rigid motion
};

/// A part of an element's force, and the column that it is added to; none below zero.
struct ElementShare {
  int column = -1;
  double factor = 0;
};

/// Gives K to damping models without their knowing energies.
class StiffnessSource {
 public:
  virtual ~StiffnessSource() = default;
  virtual int num_elements() const = 0;
  /// Blocks that K couples.
  virtual BlockRange stiffness_blocks() const { return BlockRange::all(); }
  /// K += sum_e element_scale[e] K_e(q). element_scale has num_elements entries. q is ignored for `rest`.
  virtual void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                             BlockMatrix& K) const = 0;
  /// products[e] += w . K_e(q) v of every element: the derivative of w . K v with respect to its scale. False: not
  /// offered.
  virtual bool add_element_products(const Vector& q, StiffnessPart part, const Vector& w, const Vector& v,
                                    double* products) const {
    return static_cast<void>(q), static_cast<void>(part), static_cast<void>(w), static_cast<void>(v),
           static_cast<void>(products), false;
  }
  /// columns.col(share.column) += share.factor K_e(q) v for all shares of every element: `per_element` of them each,
  /// one element after the other. One pass over the elements. False: not offered.
  virtual bool add_element_forces(const Vector& q, StiffnessPart part, const Vector& v, const ElementShare* shares,
                                  int per_element, Matrix& columns) const {
    return static_cast<void>(q), static_cast<void>(part), static_cast<void>(v), static_cast<void>(shares),
           static_cast<void>(per_element), static_cast<void>(columns), false;
  }
};

/// Gives M to damping models, element by element.
class MassSource {
 public:
  virtual ~MassSource() = default;
  virtual int num_elements() const = 0;
  /// Blocks that have mass.
  virtual BlockRange mass_blocks() const { return BlockRange::all(); }
  /// M += sum_e element_scale[e] M_e.
  virtual void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const = 0;
  /// products[e] += w . M_e v. False: not offered.
  virtual bool add_element_products(const Vector& w, const Vector& v, double* products) const {
    return static_cast<void>(w), static_cast<void>(v), static_cast<void>(products), false;
  }
  /// As of a StiffnessSource, with M_e v.
  virtual bool add_element_forces(const Vector& v, const ElementShare* shares, int per_element, Matrix& columns) const {
    return static_cast<void>(v), static_cast<void>(shares), static_cast<void>(per_element), static_cast<void>(columns),
           false;
  }
};

}  // namespace dashpot
