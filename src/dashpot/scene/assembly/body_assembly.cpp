#include "dashpot/scene/assembly/body_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/constraint/pins.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/model/combined_sources.hpp"
#include "dashpot/model/tet_batch.hpp"
#include "dashpot/scene/assembly/material_elements.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {

BodyAssembly::BodyAssembly(const SceneSpec& scene, const BodySpec& spec, Mesh mesh, int first_block)
    : scene_(&scene), spec_(&spec), mesh_(std::move(mesh)), first_block_(first_block) {
  if (spec.material && dimension_of(*spec.material) == 3 && mesh_.tets() != nullptr) {
    const ElementGroup& tets = *mesh_.tets();
    num_tets_ = tets.size();
    batch_ = std::make_shared<TetBatch>(mesh_.nodes, tets.nodes, nodes_per_element(tets.kind), first_block);
  }
  make_masses();
}

BodyAssembly::Variants BodyAssembly::variants(const Settings& model) const {
  Variants result{{model}, std::vector<int>(static_cast<std::size_t>(num_tets_), 0), {{}}, {}};
  if (!model.has("regions") || num_tets_ == 0) return result;
  const std::vector<Settings>& overrides = result.overrides = model.sections("regions");
  std::vector<std::vector<int>> acting(result.of_tet.size());
  for (std::size_t r = 0; r < overrides.size(); ++r)
    for (const int e : select_tets(overrides[r].model("where", Category::where), mesh_))
      acting[static_cast<std::size_t>(e)].push_back(static_cast<int>(r));
  std::map<std::vector<int>, int> known{{{}, 0}};
  for (std::size_t e = 0; e < acting.size(); ++e) {
    const auto [at, is_new] = known.try_emplace(acting[e], static_cast<int>(result.settings.size()));
    if (is_new) {
      Settings merged = model;
      for (const int r : acting[e]) merged = merged.overridden_by(overrides[static_cast<std::size_t>(r)]);
      result.settings.push_back(std::move(merged));
      result.regions.push_back(acting[e]);
    }
    result.of_tet[e] = at->second;
  }
  return result;
}

std::string BodyAssembly::Variants::prefix(std::size_t k) const {
  return regions[k].empty() ? "" : fmt::format("regions/{}/", fmt::join(regions[k], "+"));
}

BodyAssembly::Variants::Sources BodyAssembly::Variants::sources(const char* name, int num_elements) const {
  Sources result{{settings.front()}, {""}, {}};
  if (settings.size() == 1) return result;
  std::vector<int> of_region(overrides.size(), 0);  // where the value of a region is, for those that give one
  for (std::size_t r = 0; r < overrides.size(); ++r) {
    if (!overrides[r].has(name)) continue;
    of_region[r] = static_cast<int>(result.settings.size());
    result.settings.push_back(overrides[r]);
    result.names.push_back(fmt::format("regions/{}/", r));
  }
  result.of_element.assign(static_cast<std::size_t>(num_elements), 0);
  for (std::size_t e = 0; e < of_tet.size(); ++e)
    for (const int r : regions[static_cast<std::size_t>(of_tet[e])])
      if (const int own = of_region[static_cast<std::size_t>(r)]; own > 0) result.of_element[e] = own;
  return result;
}

PartwiseValue BodyAssembly::Variants::value(const char* name, int num_elements, double fallback) const {
  Sources found = sources(name, num_elements);
  PartwiseValue result;
  result.values.clear();
  for (const Settings& source : found.settings)
    result.values.push_back(source.has(name) ? source.number(name) : fallback);
  result.names = std::move(found.names);
  result.of_element = std::move(found.of_element);
  return result;
}

PartwiseValue BodyAssembly::Variants::value(const std::vector<double>& of_variant, int num_elements) const {
  PartwiseValue result(of_variant.front());
  if (settings.size() == 1) return result;
  for (std::size_t k = 1; k < of_variant.size(); ++k) {
    result.values.push_back(of_variant[k]);
    result.names.push_back(prefix(k));
  }
  result.of_element.assign(static_cast<std::size_t>(num_elements), 0);
  std::copy(of_tet.begin(), of_tet.end(), result.of_element.begin());
  return result;
}

void BodyAssembly::make_masses() {
  const ElementGroup* filled = spec_->material ? elements_of(*spec_->material, mesh_) : nullptr;
  if (filled != nullptr) {
    const ElementGroup& elements = *filled;
    const bool lumped = spec_->material->settings.text("mass") == "lumped";
    const Variants parts = variants(spec_->material->settings);
    std::vector<int> blocks = elements.nodes;
    for (int& block : blocks) block += first_block_;
    std::vector<double> masses;
    for (int e = 0; e < elements.size(); ++e) {
      const int part = num_tets_ > 0 ? parts.of_tet[static_cast<std::size_t>(e)] : 0;
      const double rho = density_of(parts.settings[static_cast<std::size_t>(part)]);
      if (lumped) {
        const ElementMassVector m = lumped_mass(mesh_, elements, e, rho);
        masses.insert(masses.end(), m.data(), m.data() + m.size());
      } else {
        const ElementMassMatrix m = consistent_mass(mesh_, elements, e, rho);  // symmetric: row- and column-major agree
        masses.insert(masses.end(), m.data(), m.data() + m.size());
      }
    }
    element_masses_.push_back(
        std::make_shared<ElementMass>(nodes_per_element(elements.kind), std::move(blocks), std::move(masses), lumped));
    element_masses_.back()->set_density(parts.value("density", elements.size()), spec_->material->settings.pointer());
  }
  if (!spec_->point_masses.empty()) {
    std::map<int, double> mass_of_block;
    for (const PointMassSpec& point : spec_->point_masses)
      for (const int node : select_nodes(point.where, mesh_)) mass_of_block[first_block_ + node] += point.mass;
    std::vector<int> blocks;
    std::vector<double> masses;
    for (const auto& [block, mass] : mass_of_block) {
      blocks.push_back(block);
      masses.push_back(mass);
    }
    element_masses_.push_back(std::make_shared<ElementMass>(1, std::move(blocks), std::move(masses), true));
  }
  Vector total = Vector::Zero(first_block_ + num_nodes());
  for (const auto& source : element_masses_) source->add_nodal_mass(total);
  mass_row_sums_.assign(total.data() + first_block_, total.data() + total.size());
}

const std::vector<double>& BodyAssembly::lumped_masses(const std::string& place) const {
  for (const auto& mass : element_masses_)
    if (!mass->is_lumped())
      throw Error(Problem{place, fmt::format("a consistent mass of '{}'", name()),
                          "lumped masses: this damping changes the velocity of one node at a time",
                          "add \"mass\": \"lumped\" to the material"});
  return mass_row_sums_;
}

std::vector<std::array<int, 2>> BodyAssembly::edges() const {
  std::vector<std::array<int, 2>> edges = unique_edges(mesh_);
  for (const SpringSpec& group : spec_->springs)
    for (const std::array<int, 2>& pair : group.between)
      edges.push_back({std::min(pair[0], pair[1]), std::max(pair[0], pair[1])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

void BodyAssembly::make_springs() {
  if (spec_->springs.empty()) return;
  std::vector<Spring> springs;
  PartwiseValue stiffness;
  stiffness.values.clear();
  stiffness.names.clear();
  for (const SpringSpec& group : spec_->springs) {
    stiffness.names.push_back(fmt::format("springs/{}/", stiffness.values.size()));
    stiffness.values.push_back(group.stiffness);
    for (const std::array<int, 2>& pair : group.between.empty() ? unique_edges(mesh_) : group.between) {
      const double length =
          (mesh_.nodes[static_cast<std::size_t>(pair[1])] - mesh_.nodes[static_cast<std::size_t>(pair[0])]).norm();
      springs.push_back({pair[0], pair[1], group.stiffness, group.rest_length.value_or(length)});
      stiffness.of_element.push_back(static_cast<int>(stiffness.values.size()) - 1);
    }
  }
  auto energy = std::make_unique<Springs>(name(), std::move(springs), mesh_.nodes, first_block_);
  energy->set_parameter({"stiffness", Quantity::stiffness, std::move(stiffness)});
  add(std::move(energy));
}

MotionTarget BodyAssembly::target(std::vector<int> nodes) const {
  return {&mesh_, std::move(nodes), placement_of(*spec_), scene_->time.end};
}

void BodyAssembly::make_pins(SystemBuilder& builder) const {
  std::vector<char> taken(static_cast<std::size_t>(3 * num_nodes()), 0);
  for (const PinSpec& pin : spec_->pins) {
    std::vector<int> nodes = select_nodes(pin.where, mesh_), dofs, points, axes;
    std::vector<double> values;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (int axis = 0; axis < 3; ++axis) {
        const int node = nodes[k];
        const std::size_t local = static_cast<std::size_t>(3 * node + axis);
        if (!pin.axes[static_cast<std::size_t>(axis)]) continue;
        if (taken[local] != 0) {
          if (!pin.motion && taken[local] == 1) continue;  // held twice at the same place
          throw Error(Problem{pin.where.settings.place(),
                              fmt::format("node {} is held by two pins, one of which moves", node),
                              "one pin for each node and axis", "narrow one of the selections"});
        }
        taken[local] = pin.motion ? 2 : 1;
        dofs.push_back(3 * (first_block_ + node) + axis);
        points.push_back(static_cast<int>(k));
        axes.push_back(axis);
        values.push_back(mesh_.nodes[static_cast<std::size_t>(node)][axis]);
      }
    if (dofs.empty()) continue;
    std::unique_ptr<Constraint> constraint;
    if (pin.motion)
      constraint = std::make_unique<DrivenNodes>(make_motion(*pin.motion, target(std::move(nodes))).points,
                                                 std::move(dofs), std::move(points), std::move(axes));
    else
      constraint = std::make_unique<Pins>(std::move(dofs), std::move(values));
    builder.add(std::move(constraint));
  }
}

void BodyAssembly::add(std::unique_ptr<EnergyTerm> energy) {
  const EnergyCapabilities offers = energy->capabilities();
  builder_->add(std::move(energy), place_);
  if (offers.moduli != nullptr) moduli_sources_.push_back(offers.moduli);
  if (offers.stiffness == nullptr) return;
  stiffness_sources_.push_back(offers.stiffness);
  nominal_stiffness_sources_.push_back(offers.nominal_stiffness ? offers.nominal_stiffness : offers.stiffness);
  laplacians_.push_back(offers.laplacian);
}
void BodyAssembly::add_limit(std::unique_ptr<EnergyTerm> energy) { builder_->add(std::move(energy), place_); }
void BodyAssembly::add(std::unique_ptr<DissipationTerm> damping) { builder_->add(std::move(damping), place_); }
void BodyAssembly::add(std::unique_ptr<VelocityFilter> filter) { builder_->add(std::move(filter), place_); }

const LaplacianSource& BodyAssembly::laplacian_source() const {
  if (!laplacian_source_)
    throw Error(Problem{"", fmt::format("elements of '{}' that have no Laplacian", name()),
                        "a material with one shear modulus (arap, corotational, stvk, ...)",
                        "use rayleigh damping for others"});
  return *laplacian_source_;
}

/// What a model's factory makes; its errors say where the model is written.
template <class MakeFunction>
auto BodyAssembly::make_with(const ModelSpec& model) {
  return with_location(model.settings.place(),
                       [&] { return std::get<MakeFunction>(model.entry->factory)(model.settings, *this); });
}

void BodyAssembly::build_into(SystemBuilder& builder, std::vector<std::shared_ptr<ElementMass>>& masses,
                              bool with_damping) {
  builder_ = &builder;
  stiffness_sources_.clear();
  nominal_stiffness_sources_.clear();
  laplacians_.clear();
  moduli_sources_.clear();
  if (spec_->material) {
    place_ = spec_->material->settings.pointer();
    make_with<BodyFactory>(*spec_->material);
  }
  place_ = spec_->settings.pointer();
  make_springs();
  if (!scene_->gravity.isZero(0)) {
    auto gravity = std::make_unique<Gravity>(name(), mass_row_sums_, mesh_.nodes, first_block_, scene_->gravity);
    gravity->set_sources({element_masses_.begin(), element_masses_.end()});
    // Bodies in coordinates of their own hold their weight in those, and could not follow.
    if (std::none_of(scene_->bodies.begin(), scene_->bodies.end(),
                     [](const BodySpec& body) { return body.reduced.has_value(); }))
      gravity->set_parameter("/gravity");
    add(std::move(gravity));
  }
  std::vector<const MassSource*> mass_parts;
  for (const auto& source : element_masses_) {
    masses.push_back(source);
    mass_parts.push_back(source.get());
  }
  const auto combined_mass = std::make_shared<CombinedMass>(std::move(mass_parts));
  const auto combined_stiffness = std::make_shared<CombinedStiffness>(stiffness_sources_);
  builder.keep_part(combined_mass);
  builder.keep_part(combined_stiffness);
  mass_source_ = combined_mass;
  stiffness_source_ = nominal_stiffness_source_ = combined_stiffness;
  if (nominal_stiffness_sources_ != stiffness_sources_) {
    const auto nominal = std::make_shared<CombinedStiffness>(nominal_stiffness_sources_);
    builder.keep_part(nominal);
    nominal_stiffness_source_ = nominal;
  }
  laplacian_source_ = nullptr;
  if (std::count(laplacians_.begin(), laplacians_.end(), nullptr) == 0) {
    const auto combined = std::make_shared<CombinedLaplacian>(laplacians_);
    builder.keep_part(combined);
    laplacian_source_ = combined;
  }
  if (with_damping)
    for (const ModelSpec& damping : spec_->damping) {
      place_ = damping.settings.pointer();
      if (std::holds_alternative<DampingFactory>(damping.entry->factory))
        for (std::unique_ptr<DissipationTerm>& term : make_with<DampingFactory>(damping)) add(std::move(term));
      else
        make_with<BodyFactory>(damping);
    }
  for (const ModelSpec& load : spec_->loads) builder.add(make_with<LoadFactory>(load), load.settings.pointer());
  make_pins(builder);
  builder_ = nullptr;
}

}  // namespace dashpot
