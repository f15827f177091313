#pragma once
// What a scene can get wrong beyond single values: names that are not there or not unique, selections that match
// nothing, meshes that cannot be read, models that do not fit each other.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// One name: plain, and new among `seen`.
void check_name(const std::string& name, const std::string& place, std::set<std::string>& seen,
                std::vector<Problem>& problems);
/// Names of bodies and probes.
void check_names(const SceneSpec& spec, std::vector<Problem>& problems);
/// Meshes (kept in the spec) and everything that refers to them; models against each other.
void check_physics(SceneSpec& spec, std::vector<Problem>& problems);
/// Colliders (kept in the spec): shapes that cannot be, bodies that are not there.
void check_colliders(SceneSpec& spec, std::vector<Problem>& problems);
/// Contacts between bodies: names, pairs given twice, numbers that have no default.
void check_body_contacts(const SceneSpec& spec, std::vector<Problem>& problems);
/// Of a scene that has errors already: builds the meshes of the bodies whose mesh and placing are faultless, so that
/// the user hears of broken files in the same breath.
void check_intact_bodies(const std::shared_ptr<const SceneDocument>& document, std::vector<Problem>& problems);

/// The same for colliders.
void check_intact_colliders(const std::shared_ptr<const SceneDocument>& document, std::vector<Problem>& problems);

/// From the coordinates of a body's mesh to those of the world.
Placement placement_of(const BodySpec& body);
/// The mesh of a body, in the order asked for, scaled and placed. dashpot::Error when it cannot be made; oddities are
/// added to `warnings`.
std::shared_ptr<const Mesh> build_mesh(const BodySpec& body, std::vector<Problem>* warnings = nullptr);
/// Nodes a selection means; dashpot::Error when it means none.
std::vector<int> select_nodes(const ModelSpec& where, const Mesh& mesh);
/// "nearest" always finds a node: a warning where that is more than a tenth of the body's size away from the point, an
/// error where it is more than its size.
void check_nearest(const ModelSpec& where, const Mesh& mesh, std::vector<Problem>& problems);
/// What each probe looks at: "tip: node 12 at (1, 0, 0) m, 2 mm from the point given".
std::vector<std::string> probe_notes(const SceneSpec& spec);
/// Tets a selection means: by region, otherwise by centroid of the corners. dashpot::Error when it means none.
std::vector<int> select_tets(const ModelSpec& where, const Mesh& mesh);

}  // namespace dashpot
