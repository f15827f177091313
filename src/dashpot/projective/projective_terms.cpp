#include "dashpot/projective/projective_terms.hpp"

#include <fmt/format.h>

namespace dashpot {

std::vector<Problem> projective_problems(const System& system) {
  std::vector<Problem> problems;
  const DofLayout& layout = system.pattern()->layout();
  if (!layout.is_uniform() || layout.leading_size() != 3)
    problems.push_back({"projective dynamics",
                        layout.is_uniform() ? fmt::format("{} coordinates a node", layout.leading_size())
                                            : "blocks of different sizes",
                        "positions of nodes in space", "use an ordinary stepper for reduced bodies and yarns"});
  if (!system.inertia().is_constant())
    problems.push_back({"projective dynamics", "an inertia that changes with the motion", "constant masses", ""});
  for (const auto& term : system.energies()) {
    const bool known = term->capabilities().projective != nullptr || term->kind() == EnergyKind::gravity ||
                       term->kind() == EnergyKind::contact;
    if (!known)
      problems.push_back({fmt::format("elastic energy of '{}'", term->body()), "a law without a projective form",
                          "arap or corotational tets of 4 nodes, membranes, strands or springs",
                          "choose such a material, or leave out solver.projective: Newton's method takes every law"});
  }
  return problems;
}

ProjectiveTerms sort_terms(const System& system) {
  std::vector<Problem> problems = projective_problems(system);
  if (!problems.empty()) throw Error(std::move(problems));
  ProjectiveTerms terms;
  for (std::size_t i = 0; i < system.energies().size(); ++i) {
    const auto& term = system.energies()[i];
    if (const ProjectiveForm* form = term->capabilities().projective)
      terms.forms.push_back(form);
    else if (term->kind() == EnergyKind::gravity)
      terms.steady.push_back(term.get());
    else
      terms.contacts.push_back(i);
  }
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    ProjectiveTerms::Damping damping;
    damping.index = j;
    const DissipationCapabilities offers = term.capabilities();
    damping.scalar = offers.scalar;
    damping.is_contact = term.is_contact();
    // Low-rank parts are not in the matrix, so their force is needed; they come from terms that say so or show them.
    damping.is_linear = offers.viscous != nullptr && !offers.has_low_rank_tangent;
    terms.dampings.push_back(damping);
  }
  return terms;
}

}  // namespace dashpot
