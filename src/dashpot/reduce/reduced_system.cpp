#include "dashpot/reduce/reduced_system.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/reduce/projected_terms.hpp"

namespace dashpot {
namespace {

bool is_uniform(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
}

class Reducer {
 public:
  Reducer(std::shared_ptr<const System> full, std::shared_ptr<const ReducedBasis> basis, const PrecomputeHooks& hooks)
      : full_(std::move(full)),
        subspace_(std::make_shared<const Subspace>(full_, std::move(basis))),
        hooks_(hooks),
        builder_(subspace_->size(), Vector::Zero(subspace_->size())) {}

  std::optional<ReducedModel> run() {
    check();
    const auto start = std::chrono::steady_clock::now();
    model_.subspace = subspace_;
    builder_.set_inertia(std::make_unique<SubspaceInertia>(subspace_));
    builder_.set_kinematics(std::make_unique<SubspaceKinematics>(subspace_));
    for (const auto& term : full_->energies())
      if (!add(*term)) return std::nullopt;
    for (const auto& term : full_->dissipations()) add(*term);
    for (const auto& filter : full_->filters()) builder_.add(std::make_unique<ProjectedFilter>(subspace_, *filter));
    for (const auto& load : full_->loads()) builder_.add(std::make_unique<ProjectedLoad>(subspace_, *load));
    model_.system = builder_.build();
    model_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(model_);
  }

 private:
  void check() const {
    std::vector<Problem> problems;
    for (const auto& term : full_->energies())
      if (term->kind() == EnergyKind::contact)
        problems.push_back({"", fmt::format("contact of '{}'", term->body()), "a body that touches nothing",
                            "contacts lead out of the subspace: simulate in full"});
    for (const auto& term : full_->dissipations())
      if (term->is_contact())
        problems.push_back({"", fmt::format("{} of '{}'", term->model(), term->body()), "a body that touches nothing",
                            "contacts lead out of the subspace: simulate in full"});
    if (!problems.empty()) throw Error(std::move(problems));
  }

  bool add(const EnergyTerm& term) {
    const auto* tets = dynamic_cast<const TetElasticity*>(&term);
    const std::string column = (term.kind() == EnergyKind::gravity ? "gravity of " : "elastic.") + term.body();
    if (term.is_quadratic()) {
      builder_.add(std::make_unique<QuadraticEnergy>(*subspace_, term));
      model_.methods.push_back(column + ": a constant matrix");
    } else if (tets && !tets->stvk_parameters().empty()) {
      return add_polynomials(*tets);
    } else {
      builder_.add(std::make_unique<ProjectedEnergy>(subspace_, term));
      model_.methods.push_back(column + ": the full body, projected");
    }
    return true;
  }

  bool add_polynomials(const TetElasticity& tets) {
    std::vector<double> lambda, mu;
    for (const TetElasticity::Lame& lame : tets.stvk_parameters()) {
      lambda.push_back(lame.lambda);
      mu.push_back(lame.mu);
    }
    const ReducedBasis& basis = subspace_->basis();
    StrainInput input{tets.batch(), lambda, mu, basis.rest, basis.shapes, needs_pairs(tets.body())};
    std::optional<StrainForms> forms = strain_forms(input, hooks_);
    if (!forms) return false;
    model_.bytes += forms->energy.bytes() + forms->pairs.bytes();
    model_.methods.push_back(
        fmt::format("elastic.{}: exact polynomials, {} coefficients", tets.body(), forms->energy.num_coefficients()));
    auto energy = std::make_unique<ReducedStvk>(tets.body(), std::make_shared<StrainForms>(std::move(*forms)));
    polynomial_[tets.body()] = energy.get();
    builder_.add(std::move(energy));
    return true;
  }

  /// Rayleigh with one beta, on a body whose only elastic energy is St. Venant-Kirchhoff and not at rest.
  const Rayleigh* polynomial_rayleigh(const DissipationTerm& term) const {
    const auto* rayleigh = dynamic_cast<const Rayleigh*>(&term);
    if (!rayleigh || rayleigh->traits().constant || !is_uniform(rayleigh->beta())) return nullptr;
    int elastic = 0, polynomial = 0;
    for (const auto& energy : full_->energies()) {
      if (energy->kind() != EnergyKind::elastic || energy->body() != term.body()) continue;
      const auto* tets = dynamic_cast<const TetElasticity*>(energy.get());
      ++elastic;
      polynomial +=
          tets && !tets->stvk_parameters().empty() && tets->num_elements() == static_cast<int>(rayleigh->beta().size());
    }
    return elastic == 1 && polynomial == 1 ? rayleigh : nullptr;
  }

  bool needs_pairs(const std::string& body) const {
    return std::any_of(full_->dissipations().begin(), full_->dissipations().end(), [&](const auto& term) {
      const Rayleigh* rayleigh = polynomial_rayleigh(*term);
      return rayleigh && rayleigh->body() == body && rayleigh->part() == StiffnessPart::gauss_newton;
    });
  }

  void add(const DissipationTerm& term) {
    const std::string column = fmt::format("damping.{}.{}", term.body(), term.model());
    if (term.traits().constant) {
      builder_.add(std::make_unique<ReducedViscous>(*subspace_, term));
      model_.methods.push_back(column + ": a constant matrix");
    } else if (const Rayleigh* rayleigh = polynomial_rayleigh(term)) {
      const ReducedStvk* energy = polynomial_.at(term.body());
      const double beta = rayleigh->beta().front();
      Matrix A = mass_part(*rayleigh, *energy);
      DissipationTraits traits = term.traits();
      traits.keeps_linear_momentum = traits.keeps_angular_momentum = false;
      builder_.add(std::make_unique<ReducedViscous>(term.body(), term.model(), std::move(A), beta, rayleigh->part(),
                                                    energy, traits));
      model_.methods.push_back(column + ": from the polynomials");
    } else {
      builder_.add(std::make_unique<ProjectedDamping>(subspace_, term));
      model_.methods.push_back(column + ": the full body, projected");
    }
  }

  /// Phi^T (alpha M) Phi: C~ at rest, where all parts of the stiffness agree, without beta K~.
  Matrix mass_part(const Rayleigh& term, const ReducedStvk& energy) const {
    const int r = subspace_->size();
    if (std::all_of(term.alpha().begin(), term.alpha().end(), [](double x) { return x == 0; }))
      return Matrix::Zero(r, r);
    return ReducedViscous(*subspace_, term).constant_part() -
           term.beta().front() * energy.stiffness(Vector::Zero(r), StiffnessPart::rest);
  }

  std::shared_ptr<const System> full_;
  std::shared_ptr<const Subspace> subspace_;
  const PrecomputeHooks& hooks_;
  SystemBuilder builder_;
  ReducedModel model_;
  std::map<std::string, const ReducedStvk*> polynomial_;  ///< by body
};

}  // namespace

std::optional<ReducedModel> reduce_system(std::shared_ptr<const System> full, ReducedBasis basis,
                                          const PrecomputeHooks& hooks) {
  return Reducer(std::move(full), std::make_shared<const ReducedBasis>(std::move(basis)), hooks).run();
}

ReducedModel::Projected ReducedModel::project(const State& full) const {
  const ReducedBasis& basis = subspace->basis();
  const Inertia& inertia = subspace->full().inertia();
  const auto error = [&](const Vector& wanted, const Vector& z) {
    const double size = inertia.kinetic_energy(basis.rest, wanted);
    return size > 0 ? std::sqrt(inertia.kinetic_energy(basis.rest, wanted - basis.shapes * z) / size) : 0.0;
  };
  Projected out;
  out.state = system->initial_state(full.time);
  out.state.q = basis.coordinates(full.q);
  out.state.v = basis.weighted.transpose() * full.v;
  out.position_error = error(full.q - basis.rest, out.state.q);
  out.velocity_error = error(full.v, out.state.v);
  return out;
}

}  // namespace dashpot
