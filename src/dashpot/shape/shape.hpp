#pragma once
// A shape file: a creature or thing as a small JSON text (docs/theory/shape.md has the format and an example). Three
// forms:
//   "shape"            a solid, the inside of a field (field.hpp), meshed with tets;
//   "shape" + "shell"  its surface, cut open inside the `open` bodies, meshed with triangles (a shirt);
//   "sheet"            a flat outline with a thickness, bent along a mid-surface, meshed with prisms cut into tets,
//                      or with triangles when it has no thickness (leaf, membrane, cloth);
//                      two of them sewn together along the rim are a bag, a pillow, a garment (sewn_sheet.hpp).
// Lengths in meters, y up.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/shape/field.hpp"

namespace dashpot {

/// Height of the mid-surface over the flat sheet [m], a sum of simple terms.
struct SheetBend {
  double fold = 0;        ///< slope of both halves against the line x = 0 (tangent of the angle)
  double fold_round = 0;  ///< half width of the rounded fold [m]
  Eigen::Vector2d arch = Eigen::Vector2d::Zero();  ///< curvatures along x and y [1/m]: z += arch x^2 / 2
  double wave = 0;         ///< amplitude at the rim [m]: z += wave (x / half_width)^2 sin(2 pi y / wave_length)
  double wave_length = 1;  ///< [m]
  double half_width = 1;   ///< largest |x| of the outline [m]
  double height(double x, double y) const;
};

struct Sheet {
  std::vector<Eigen::Vector2d> outline;  ///< closed polygon in the (x, y) plane; empty: `node` gives the outline
  int node = -1;                         ///< its field at z = 0
  double thickness = 0;                  ///< [m]; 0: triangles
  SheetBend bend;
  std::optional<Vec3> color;  ///< sRGB; for an outline without a node
  /// Two of it, sewn together along the rim; thickness 0 only.
  bool is_sewn = false;
  std::vector<int> open;             ///< nodes of the field inside which the rim is not sewn, in the flat state
  Mat3 rotation = Mat3::Identity();  ///< of the finished sheet about the origin, then
  Vec3 translation = Vec3::Zero();   ///< its displacement [m]
};

class Shape {
 public:
  std::string name;  ///< of the asset or file
  std::string file;  ///< where it was read from, for messages
  std::string title, description;
  Vec3 camera = Vec3(0.6, 0.35, 1);  ///< direction from the body to the camera

  Field field;
  int root = -1;  ///< node of "shape"; -1 for a sheet
  bool is_shell = false;
  std::vector<int> open;  ///< nodes inside which a shell has no triangles
  std::optional<Sheet> sheet;

  std::vector<std::string> regions;               ///< names of tagged nodes, FieldNode::region counts into these
  std::vector<std::pair<std::string, int>> sets;  ///< overlapping named node sets: name, node of the field
  std::vector<int> paint;                         ///< nodes that only color what is inside them, later ones on top

  /// f(x): negative inside [m]; of a sheet: f(x, y) of its outline in the flat state.
  double value(const Vec3& x) const;
  /// Field of one node of the tree, for sets and paint; a sheet is looked at in its flat state.
  double node_value(int node, const Vec3& x) const;
  /// Index into `regions`; -1 outside all tagged nodes.
  int region(const Vec3& x) const;
  /// sRGB, 0..1.
  Vec3 color(const Vec3& x) const;
};

/// What came of a text: the shape, and every problem found; usable when no problem is an error.
struct ParsedShape {
  Shape shape;
  std::vector<Problem> problems;
};

/// Reads a shape file; never throws, whatever the bytes.
ParsedShape parse_shape(std::string_view text, const std::string& file);

/// An asset by its name or a file by its path; dashpot::Error with all problems. Warnings are appended when asked for.
Shape load_shape(const std::string& name_or_path, std::vector<Problem>* warnings = nullptr,
                 const FileReader& read = read_file);

}  // namespace dashpot
