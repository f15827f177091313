#include "dashpot/reduce/reduced_system.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/model/proportional_damping.hpp"
#include "dashpot/model/stvk_source.hpp"
#include "dashpot/reduce/forms_cache.hpp"
#include "dashpot/reduce/projected_terms.hpp"

namespace dashpot {
namespace {

bool is_uniform(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
}

/// A constant damping as a small matrix; other values of its parameters reduce it again. `first` is the damping of the
/// full System, which lives as long as the subspace; `term` is it, or it with other values.
std::unique_ptr<ReducedViscous> constant_viscous(const std::shared_ptr<const Subspace>& subspace,
                                                 const DissipationTerm& first, const DissipationTerm& term) {
  auto small = std::make_unique<ReducedViscous>(*subspace, term);
  small->set_parameters(term.parameters(), [subspace, &first](const double* values) {
    const std::shared_ptr<const DissipationTerm> other = first.remade(values, {});
    return constant_viscous(subspace, first, *other);
  });
  return small;
}

/// Phi^T (alpha M) Phi: C~ at rest, where all parts of the stiffness agree, without beta K~.
Matrix mass_part(const Subspace& subspace, const DissipationTerm& term, const ProportionalDamping& rayleigh,
                 const ReducedStvk& energy) {
  const int r = subspace.size();
  if (std::all_of(rayleigh.alpha().begin(), rayleigh.alpha().end(), [](double x) { return x == 0; }))
    return Matrix::Zero(r, r);
  return ReducedViscous(subspace, term).constant_part() -
         rayleigh.beta().front() * energy.stiffness(Vector::Zero(r), StiffnessPart::rest);
}

/// Rayleigh damping with one beta, whose stiffness comes from the polynomials of `energy`; `first` and `term` as above.
std::unique_ptr<ReducedViscous> rayleigh_from_polynomials(const std::shared_ptr<const Subspace>& subspace,
                                                          const DissipationTerm& first, const DissipationTerm& term,
                                                          const ReducedStvk* energy) {
  const ProportionalDamping& rayleigh = *term.capabilities().proportional;
  if (!is_uniform(rayleigh.beta()))
    throw Error(Problem{term.body(), "values of beta that differ between parts of a reduced body", "one beta",
                        "simulate it in full"});
  DissipationTraits traits = term.traits();
  traits.keeps_linear_momentum = traits.keeps_angular_momentum = false;
  auto small =
      std::make_unique<ReducedViscous>(term.body(), term.model(), mass_part(*subspace, term, rayleigh, *energy),
                                       rayleigh.beta().front(), rayleigh.part(), energy, traits);
  small->set_parameters(term.parameters(), [subspace, &first, energy](const double* values) {
    const std::shared_ptr<const DissipationTerm> other = first.remade(values, {});
    return rayleigh_from_polynomials(subspace, first, *other, energy);
  });
  return small;
}

class Reducer {
 public:
  Reducer(std::shared_ptr<const System> full, std::shared_ptr<const ReducedBasis> basis, const PrecomputeHooks& hooks,
          const ReduceOptions& options)
      : full_(std::move(full)),
        subspace_(std::make_shared<const Subspace>(full_, std::move(basis))),
        hooks_(hooks),
        options_(options),
        builder_(subspace_->size(), Vector::Zero(subspace_->size())) {}

  std::optional<ReducedModel> run() {
    check();
    const auto start = std::chrono::steady_clock::now();
    model_.subspace = subspace_;
    builder_.keep(mass_);
    builder_.set_inertia(std::make_unique<SubspaceInertia>(subspace_));
    builder_.set_kinematics(std::make_unique<SubspaceKinematics>(subspace_));
    for (const auto& term : full_->energies())
      if (!add(*term)) return std::nullopt;
    for (std::size_t j = 0; j < full_->dissipations().size(); ++j)
      add(full_->dissipations()[j], full_->dissipation_place(j));
    for (std::size_t j = 0; j < full_->filters().size(); ++j)
      builder_.add(std::make_unique<ProjectedFilter>(subspace_, full_->filters()[j]), full_->filter_place(j));
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
    const StvkSource* stvk = term.capabilities().stvk;
    const std::string column = (term.kind() == EnergyKind::gravity ? "gravity of " : "elastic.") + term.body();
    if (term.is_quadratic()) {
      builder_.add(std::make_unique<QuadraticEnergy>(*subspace_, term));
      model_.methods.push_back(column + ": a constant matrix");
    } else if (stvk) {
      return add_polynomials(*stvk, term.body());
    } else {
      builder_.add(std::make_unique<ProjectedEnergy>(subspace_, term));
      model_.methods.push_back(column + ": the full body, projected");
    }
    return true;
  }

  bool add_polynomials(const StvkSource& tets, const std::string& body) {
    std::vector<double> lambda, mu;
    for (const StvkSource::Lame& lame : tets.stvk_parameters()) {
      lambda.push_back(lame.lambda);
      mu.push_back(lame.mu);
    }
    const ReducedBasis& basis = subspace_->basis();
    StrainInput input{tets.stvk_batch(), lambda, mu, basis.rest, basis.shapes, needs_pairs(body)};
    std::string source;
    std::optional<StrainForms> forms = make_forms(input, source);
    if (!forms) return false;
    model_.bytes += forms->energy.bytes() + forms->pairs.bytes();
    model_.methods.push_back(fmt::format("elastic.{}: exact polynomials, {} coefficients{}", body,
                                         forms->energy.num_coefficients(), source));
    auto energy = std::make_unique<ReducedStvk>(body, std::make_shared<StrainForms>(std::move(*forms)));
    polynomial_[body] = energy.get();
    builder_.add(std::move(energy));
    return true;
  }

  /// From the cache or from scratch; `source` gets what is worth saying about it.
  std::optional<StrainForms> make_forms(const StrainInput& input, std::string& source) const {
    if (options_.cache_folder.empty()) return strain_forms(input, hooks_);
    const std::uint64_t key = forms_key(input);
    CachedForms cached = read_forms(options_.cache_folder, key);
    if (cached.forms) {
      source = ", from the cache";
      return std::move(cached.forms);
    }
    std::optional<StrainForms> forms = strain_forms(input, hooks_);
    if (!forms) return forms;
    if (!cached.problem.empty()) source = "; " + cached.problem + ", it was made again";
    try {
      source += ", kept in " + write_forms(options_.cache_folder, key, *forms);
    } catch (const Error& error) {
      source += fmt::format("; not kept: {}", error.problems().front().found);
    }
    return forms;
  }

  /// Rayleigh with one beta, on a body whose only elastic energy is St. Venant-Kirchhoff and not at rest.
  const ProportionalDamping* polynomial_rayleigh(const DissipationTerm& term) const {
    const ProportionalDamping* rayleigh = term.capabilities().proportional;
    if (!rayleigh || term.traits().constant || !is_uniform(rayleigh->beta())) return nullptr;
    int elastic = 0, polynomial = 0;
    for (const auto& energy : full_->energies()) {
      if (energy->kind() != EnergyKind::elastic || energy->body() != term.body()) continue;
      const StvkSource* stvk = energy->capabilities().stvk;
      ++elastic;
      polynomial += stvk && stvk->stvk_batch().num_tets() == static_cast<int>(rayleigh->beta().size());
    }
    return elastic == 1 && polynomial == 1 ? rayleigh : nullptr;
  }

  bool needs_pairs(const std::string& body) const {
    return std::any_of(full_->dissipations().begin(), full_->dissipations().end(), [&](const auto& term) {
      const ExampleBased* examples = term->capabilities().examples;
      const DissipationTerm& base = examples ? examples->base() : *term;
      const ProportionalDamping* rayleigh = polynomial_rayleigh(base);
      return rayleigh && base.body() == body && rayleigh->part() == StiffnessPart::gauss_newton;
    });
  }

  /// A damping that is a small matrix over each step; null: it is not.
  std::unique_ptr<ReducedViscous> small_viscous(const DissipationTerm& term, std::string& method) const {
    if (term.traits().constant) {
      method = "a constant matrix";
      return constant_viscous(subspace_, term, term);
    }
    if (!polynomial_rayleigh(term)) return nullptr;
    method = "from the polynomials";
    return rayleigh_from_polynomials(subspace_, term, term, polynomial_.at(term.body()));
  }

  /// The same examples as X~ = Phi^T M X over the reduced damping; null where the base is not a small matrix, or where
  /// displacements are measured in ways that coordinates do not know (turned frames, sizes in meters).
  std::unique_ptr<DissipationTerm> small_examples(const ExampleBased& term, std::string& method) {
    ExampleBasedOptions options = term.options();
    options.locally_turned = false;  // turned parts would leave the subspace
    if (options.corotated || options.isotropic || options.is_free_body) return nullptr;
    std::unique_ptr<ReducedViscous> base = small_viscous(term.base(), method);
    if (!base) return nullptr;
    const ReducedViscous* C = base.get();
    std::vector<DampingExample> examples;
    for (std::size_t i = 0; i < term.examples().size(); ++i)
      examples.push_back({term.examples()[i].name, Vector(subspace_->basis().weighted.transpose() * term.shape(i)),
                          term.examples()[i].gain});
    if (!term.counts_from_rest())
      options.origin = Vector(subspace_->basis().weighted.transpose() * term.origin_displacement());
    return std::make_unique<ExampleBased>(term.body(), std::move(base), C, *mass_, Vector::Zero(subspace_->size()), 0,
                                          1, std::move(examples), options);
  }

  void add(const std::shared_ptr<const DissipationTerm>& shared, const std::string& place) {
    const DissipationTerm& term = *shared;
    std::string method = "the full body, projected";
    std::unique_ptr<DissipationTerm> small;
    if (const ExampleBased* examples = term.capabilities().examples)
      small = small_examples(*examples, method);
    else
      small = small_viscous(term, method);
    if (!small) small = std::make_unique<ProjectedDamping>(subspace_, shared);
    model_.methods.push_back(fmt::format("damping.{}.{}: {}", term.body(), term.model(), method));
    builder_.add(std::move(small), place);
  }

  std::shared_ptr<const System> full_;
  std::shared_ptr<const Subspace> subspace_;
  const PrecomputeHooks& hooks_;
  const ReduceOptions& options_;
  SystemBuilder builder_;
  ReducedModel model_;
  std::shared_ptr<const SubspaceMass> mass_ = std::make_shared<const SubspaceMass>();
  std::map<std::string, const ReducedStvk*> polynomial_;  ///< by body
};

}  // namespace

std::optional<ReducedModel> reduce_system(std::shared_ptr<const System> full, ReducedBasis basis,
                                          const PrecomputeHooks& hooks, const ReduceOptions& options) {
  return Reducer(std::move(full), std::make_shared<const ReducedBasis>(std::move(basis)), hooks, options).run();
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
