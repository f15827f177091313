#pragma once
// Isosurface stuffing: tets that fill {f < 0}, with good angles whatever the surface [LabelleShewchuk2007]. On a
// body-centerd cubic lattice (lattice.hpp) the surface cuts edges between points of different sign. A cut closer to a
// point than alpha times the edge pulls the point onto the surface (warping); the tets of the lattice are then kept,
// dropped or replaced by a stencil. With alpha_long = 0.24999, alpha_short = 0.41189 all dihedral angles lie
// between 10.7 and 164.8 degrees. All surface nodes lie on f = 0 to 1e-9 a.
//
// Faces of a lattice tet that are cut to a quadrilateral are split alike from both sides: by the parity rule when both
// cuts are on short edges, else from the cut on the long edge.

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/shape/lattice.hpp"

namespace dashpot {

/// How exactly cuts are found; `linear` interpolates, good enough to count tets.
enum class CutSearch { exact, linear };

/// Nodes and positive tets; no regions. The mesh is empty when no lattice point is inside.
Mesh stuff(const Lattice& lattice, CutSearch search = CutSearch::exact);

}  // namespace dashpot
