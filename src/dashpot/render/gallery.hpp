#pragma once
// The cast on one page: every asset with its picture, its regions, and what meshing it at three resolutions gives.

#include <functional>
#include <string>
#include <vector>

#include "dashpot/render/html_report.hpp"
#include "dashpot/shape/shape.hpp"

namespace dashpot::render {

struct GallerySettings {
  std::vector<double> elements = {2000, 11000, 50000};  ///< wanted tets; a fifth as many triangles of a shell
  int picture = 1;                                      ///< which of them is drawn
  int width = 560, height = 420;
};

/// One resolution of one asset.
struct GalleryMesh {
  double wanted = 0;
  int num_nodes = 0, num_elements = 0;
  std::string kind;                           ///< "tets" or "triangles"
  double min_dihedral = 0, max_dihedral = 0;  ///< [degrees]; 0 without tets
  double volume = 0, area = 0;                ///< [m^3], of the surface [m^2]
  double seconds = 0;                         ///< to mesh it
  std::vector<std::string> warnings;
};

struct GalleryEntry {
  std::string name, title, description;
  std::vector<std::string> regions, node_sets;
  Vec3 size = Vec3::Zero();  ///< of the bounding box [m]
  std::vector<GalleryMesh> meshes;
  std::string picture;  ///< PNG file; with its regions beside it when there are several
  std::string problem;  ///< why it could not be meshed; empty when all went well
};

/// Meshes and draws one asset (or shape file). What goes wrong is told in `problem`, not thrown.
GalleryEntry gallery_entry(const std::string& name, const GallerySettings& settings);

/// The page. `seconds` is the time it all took.
Report gallery_report(const std::vector<GalleryEntry>& entries, double seconds);
/// {"assets": [...], "seconds": ...}; numbers in SI units, angles in degrees; without the pictures.
std::string gallery_json(const std::vector<GalleryEntry>& entries, double seconds);

}  // namespace dashpot::render
