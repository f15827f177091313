#pragma once
// A body on its way into a System: its mesh, where its blocks begin, its mass and stiffness sources. Factories of
// materials, dampings, loads and starts see only this.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

class LaplacianSource;
class ModuliSource;
class TetBatch;
struct ModesResult;

class BodyAssembly {
 public:
  BodyAssembly(const SceneSpec& scene, const BodySpec& spec, Mesh mesh, int first_block);

  const SceneSpec& scene() const { return *scene_; }
  const BodySpec& spec() const { return *spec_; }
  const std::string& name() const { return spec_->name; }
  const Mesh& mesh() const { return mesh_; }
  /// Node i is point first_point() + i of the System; of a body that is not reduced it is that block, too.
  int first_point() const { return first_block_; }
  int first_block() const { return first_block_; }
  int num_nodes() const { return mesh_.num_nodes(); }
  /// Coordinates of all bodies of the System together; known while it is put together.
  int system_dofs() const { return system_dofs_; }
  void set_system_dofs(int count) { system_dofs_ = count; }
  /// The tets, ready for element loops; only for meshes that have some.
  std::shared_ptr<TetBatch> batch() const { return batch_; }
  /// Row sums of the mass matrix [kg], one a node: what gravity pulls at. They are the masses of the nodes where the
  /// material's mass is lumped; of a consistent mass some are negative (corners of 10-node tets).
  const std::vector<double>& mass_row_sums() const { return mass_row_sums_; }
  /// The same for what works with lumped masses only; dashpot::Error, at `place`, when the body's mass is consistent.
  const std::vector<double>& lumped_masses(const std::string& place) const;
  /// Pairs of nodes that an element or a spring joins, each once, sorted.
  std::vector<std::array<int, 2>> edges() const;

  /// A model's parameters as they hold in each part of the body: tet e has settings[of_tet[e]]. Where regions overlap,
  /// the later one wins. Entry 0 is the model without overrides.
  struct Variants {
    std::vector<Settings> settings;
    std::vector<int> of_tet;
    std::vector<std::vector<int>> regions;  ///< of each variant: the regions that made it, in order
    std::vector<Settings> overrides;        ///< of each region
    /// Where variant k comes from, for the names of parameters: "", "regions/1/", "regions/0+1/".
    std::string prefix(std::size_t k) const;
    /// Where a parameter is written, by part: the model itself, then each region that gives it.
    struct Sources {
      std::vector<Settings> settings;
      std::vector<std::string> names;  ///< as PartwiseValue::names
      std::vector<int> of_element;     ///< empty: all elements have the first
    };
    Sources sources(const char* name, int num_elements) const;
    /// What `read` finds in each.
    template <class Read>
    auto partwise(const char* name, int num_elements, Read read) const {
      Sources found = sources(name, num_elements);
      Partwise<decltype(read(found.settings.front()))> result{{}, std::move(found.names), std::move(found.of_element)};
      for (const Settings& source : found.settings) result.values.push_back(read(source));
      return result;
    }
    /// A number of the model in every part; elements beyond the tets (springs, point masses) have the body's own.
    /// Absent: `fallback`.
    PartwiseValue value(const char* name, int num_elements, double fallback = 0) const;
    /// The same of numbers that were worked out for each variant.
    PartwiseValue value(const std::vector<double>& of_variant, int num_elements) const;
  };
  Variants variants(const Settings& model) const;

  // What a material or damping adds.
  void add(std::unique_ptr<EnergyTerm> energy);
  /// An energy whose stiffness dampings do not count as the body's: it acts at the bounds of strain only.
  void add_limit(std::unique_ptr<EnergyTerm> energy);
  void add(std::unique_ptr<DissipationTerm> damping);
  void add(std::unique_ptr<VelocityFilter> filter);
  /// One line for people about a damping that acts.
  void note(const std::string& text) { notes_.push_back(name() + ": " + text); }
  const std::vector<std::string>& notes() const { return notes_; }

  /// Mass and stiffness of the whole body; elements are those of the material (a sheet's triangles, then
  /// its hinges), then point masses or springs.
  const MassSource& mass_source() const { return *mass_source_; }
  const StiffnessSource& stiffness_source() const { return *stiffness_source_; }
  /// The same, of a learned material without what was learned.
  const StiffnessSource& nominal_stiffness_source() const { return *nominal_stiffness_source_; }
  /// Everything elastic of the body that can tell its moduli.
  const std::vector<const ModuliSource*>& moduli_sources() const { return moduli_sources_; }
  /// Laplacian of the same elements. dashpot::Error where the material or something else has none.
  const LaplacianSource& laplacian_source() const;
  const std::vector<std::shared_ptr<ElementMass>>& element_masses() const { return element_masses_; }
  int num_tets() const { return num_tets_; }

  /// Vibration mode `number` of this body alone about its rest shape; numbers from 1, rigid motions not counted.
  struct Mode {
    double frequency = 0;     ///< [Hz]
    std::vector<Vec3> shape;  ///< displacement of each node; the largest has length 1
  };
  Mode mode(int number);
  /// At least the first `count` vibration modes of this body alone, in its own dofs, mass-orthonormal; kept.
  const ModesResult& modes(int count);

  /// Puts the body's parts into a System under construction. `with_damping` false: for statics and modes.
  void build_into(SystemBuilder& builder, std::vector<std::shared_ptr<ElementMass>>& masses, bool with_damping);

 private:
  void make_masses();
  void make_springs();
  template <class MakeFunction>
  auto make_with(const ModelSpec& model);
  void make_pins(SystemBuilder& builder) const;
  /// Some of its nodes, for a motion.
  MotionTarget target(std::vector<int> nodes) const;

  const SceneSpec* scene_;
  const BodySpec* spec_;
  Mesh mesh_;
  int first_block_;
  int num_tets_ = 0, system_dofs_ = 0;
  std::shared_ptr<const ModesResult> modes_;  ///< those asked for so far
  std::shared_ptr<TetBatch> batch_;
  std::vector<std::shared_ptr<ElementMass>> element_masses_;
  std::vector<double> mass_row_sums_;
  std::vector<std::string> notes_;
  SystemBuilder* builder_ = nullptr;  ///< only during build_into
  std::string place_;                 ///< of what is being added: before the names of its parameters
  std::vector<const StiffnessSource*> stiffness_sources_, nominal_stiffness_sources_;
  std::vector<const ModuliSource*> moduli_sources_;
  std::vector<const LaplacianSource*> laplacians_;  ///< of the same energies; null: that one has none
  std::shared_ptr<const MassSource> mass_source_;
  std::shared_ptr<const StiffnessSource> stiffness_source_, nominal_stiffness_source_;
  std::shared_ptr<const LaplacianSource> laplacian_source_;  ///< null: some element has none
};

/// A reduced body, as a System of its own.
struct ReducedPart {
  const BodySpec* body = nullptr;
  std::shared_ptr<const System> system;
};

/// A System of some bodies of a scene, and where each body's nodes are in it.
struct AssembledBodies {
  std::shared_ptr<const System> system;
  std::vector<Place> parts;  ///< where the coordinates of each reduced part begin
  std::vector<BodyAssembly> bodies;
  std::vector<std::string> contacts;  ///< what touches what, and how, in words
  /// The body made from `spec`, or nullptr.
  const BodyAssembly* find(const BodySpec& spec) const;
};
/// What a System is put together for: all of it; energies and contacts (static balance); the body alone (modes); all of
/// the body but what it touches (a subspace is made from it).
enum class AssemblyScope { motion, balance, modes, reduction };
/// Bodies that are among `parts` stand in it by their own coordinates, behind the nodes of the others.
AssembledBodies assemble(const SceneSpec& scene, const std::vector<const BodySpec*>& bodies, AssemblyScope scope,
                         const std::vector<ReducedPart>& parts = {});

}  // namespace dashpot
