#pragma once
// Attachments of a scene: nodes of one body that follow points of another (model/ties.hpp). A node at the same place as
// a node of the other body follows that node; otherwise it follows its barycentric point in the nearest tet, extended
// beyond the tet where it lies outside (so a gap turns with the body), or the nearest point of a triangle, or the
// nearest node, with the gap as a constant offset.

#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/ties.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// The ties of one attachment, in node numbers: the body's nodes follow nodes of `to`. dashpot::Error when a node is
/// farther away than allowed.
std::vector<Tie> attachment_ties(const AttachmentSpec& attachment, const Mesh& body, const Mesh& to);

/// Names, distances, nodes that are pinned or attached twice, circles; meshes must have been built.
void check_attachments(const SceneSpec& spec, std::vector<Problem>& problems);

}  // namespace dashpot
