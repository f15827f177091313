// clang-format off
#pragma once
// Scenes as C++ values: a plain struct for every model and every section of the scene format, with the same names,
// units, ranges and defaults. Generated from the registry: do not edit, run DASHPOT_UPDATE_DOCS=1 build/bin/test_scene.
//
// A field that was never set (`unset`, an empty list, a model that holds nothing) is not written into the scene; where
// the format requires it, compile() says so. Numbers are SI.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/scene/format/scene_values.hpp"

namespace dashpot::scene {

struct WhereModel;
struct MotionModel;
struct MeshModel;
struct MaterialModel;
struct LoadModel;
struct StartModel;
struct DampingModel;
struct StepperModel;
struct ColliderModel;

namespace where {

/// inside a box along the axes, borders included.
struct box {
  /// two opposite corners [m]
  std::array<Vec3, 2> corners = {Vec3(unset, unset, unset), Vec3(unset, unset, unset)};
  static constexpr const char* model_name = "box";
  static void fields(auto& self, auto&& visit) { visit("corners", self.corners); }
};

/// inside a ball, border included.
struct sphere {
  /// center [m]
  Vec3 center = Vec3(unset, unset, unset);
  /// r: radius [m]; radius > 0 m
  double radius = unset;
  static constexpr const char* model_name = "sphere";
  static void fields(auto& self, auto&& visit) { visit("center", self.center); visit("radius", self.radius); }
};

/// the one node nearest to a point.
struct nearest {
  /// rest position to look near, at the body [m]
  Vec3 point = Vec3(unset, unset, unset);
  static constexpr const char* model_name = "nearest";
  static void fields(auto& self, auto&& visit) { visit("point", self.point); }
};

/// by number, counted from 0.
struct vertices {
  /// node numbers
  std::vector<int> indices = {};
  static constexpr const char* model_name = "vertices";
  static void fields(auto& self, auto&& visit) { visit("indices", self.indices); }
};

/// all nodes (or tets) of a named region of the mesh.
struct region {
  /// region
  std::string name = {};
  static constexpr const char* model_name = "region";
  static void fields(auto& self, auto&& visit) { visit("name", self.name); }
};

/// a named node set of the mesh file.
struct set {
  /// set
  std::string name = {};
  static constexpr const char* model_name = "set";
  static void fields(auto& self, auto&& visit) { visit("name", self.name); }
};

/// what any of several selections choose.
struct any {
  /// selections
  std::vector<WhereModel> of;
  static constexpr const char* model_name = "any";
  static void fields(auto& self, auto&& visit) { visit("of", self.of); }
};

/// everything.
struct all {
  static constexpr const char* model_name = "all";
  static void fields(auto&, auto&&) {}
};

}  // namespace where

/// Which nodes (or tets, by their centroid) are meant, by their rest positions in the world: after "place". Holds nothing until a model is assigned.
struct WhereModel : std::variant<std::monostate, where::box, where::sphere, where::nearest, where::vertices, where::region, where::set, where::any, where::all> {
  using variant::variant;
  static constexpr std::string_view field = "";  ///< none: written {"NAME": {...}}
};

namespace motion {

/// d(t) = A sin(2π f t + φ).
struct harmonic {
  /// A: displacement amplitude [m]
  Vec3 amplitude = Vec3(unset, unset, unset);
  /// f: cycles per second [Hz]; frequency > 0 Hz
  double frequency = unset;
  /// φ: sin(2π f t + φ) [rad]
  double phase = 0;
  /// begins [s]
  double from = 0;
  /// smooth rise from rest; 0: starts with the velocity of the sine [s]; ramp ≥ 0 s
  double ramp = 0;
  static constexpr const char* model_name = "harmonic";
  static void fields(auto& self, auto&& visit) { visit("amplitude", self.amplitude); visit("frequency", self.frequency); visit("phase", self.phase); visit("from", self.from); visit("ramp", self.ramp); }
};

/// constant velocity and turning about an axis: a belt, a lift, a turntable.
struct steady {
  /// v: of everything [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: about the axis [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  /// a point of the axis at the start [m]
  Vec3 about = Vec3(0, 0, 0);
  /// begins [s]
  double from = 0;
  /// smooth rise from rest; 0: at full speed at once [s]; ramp ≥ 0 s
  double ramp = 0;
  static constexpr const char* model_name = "steady";
  static void fields(auto& self, auto&& visit) { visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); visit("about", self.about); visit("from", self.from); visit("ramp", self.ramp); }
};

/// Of "keys".
struct keyframes_key {
  /// t: when [s]
  double time = unset;
  /// from the rest position [m]
  Vec3 translate = Vec3(0, 0, 0);
  /// rotation vector (axis times angle) [rad]
  Vec3 rotate = Vec3(0, 0, 0);
  static void fields(auto& self, auto&& visit) { visit("time", self.time); visit("translate", self.translate); visit("rotate", self.rotate); }
};

enum class keyframes_end { rest, straight, cyclic };
constexpr std::array<const char*, 3> names_of(keyframes_end) { return {"rest", "straight", "cyclic"}; }

/// rigid: translation and rotation about a pivot, by keys joined with splines.
struct keyframes {
  /// poses in time
  std::vector<keyframes_key> keys = {};
  /// the pivot, which turns leave in place; left out: the middle of the nodes [m]; may be absent
  std::optional<Vec3> pivot = {};
  /// before the first and after the last key: at rest, straight on, or again and again
  keyframes_end ends = keyframes_end::rest;
  /// faster is refused as a teleport; left out: 30 body sizes a second [m/s]; max_speed > 0 m/s; may be absent
  std::optional<double> max_speed = {};
  static constexpr const char* model_name = "keyframes";
  static void fields(auto& self, auto&& visit) { visit("keys", self.keys); visit("pivot", self.pivot); visit("ends", self.ends); visit("max_speed", self.max_speed); }
};

/// rest plus a displacement, given as formulas of the rest position X, Y, Z [m] and the time t [s].
struct formula {
  /// for example "0.1*sin(2*pi*t)"
  std::string x = "0";
  /// displacement along y
  std::string y = "0";
  /// displacement along z
  std::string z = "0";
  /// begins; its own time starts from zero then [s]
  double from = 0;
  /// smooth way from the rest shape into the motion; 0: none [s]; ramp ≥ 0 s
  double ramp = 0;
  /// faster is refused as a teleport; left out: 30 body sizes a second [m/s]; max_speed > 0 m/s; may be absent
  std::optional<double> max_speed = {};
  static constexpr const char* model_name = "formula";
  static void fields(auto& self, auto&& visit) { visit("x", self.x); visit("y", self.y); visit("z", self.z); visit("from", self.from); visit("ramp", self.ramp); visit("max_speed", self.max_speed); }
};

enum class cache_coordinate { mesh, world };
constexpr std::array<const char*, 2> names_of(cache_coordinate) { return {"mesh", "world"}; }

enum class cache_end { rest, straight, cyclic };
constexpr std::array<const char*, 3> names_of(cache_end) { return {"rest", "straight", "cyclic"}; }

/// a point cache of the whole mesh (.pc2, .mdd), joined with splines.
struct cache {
  /// the cache; its points are the mesh's nodes, in the same order
  std::string file = {};
  /// frames a second; .pc2 counts frames only [Hz]; fps > 0 Hz
  double fps = 24;
  /// of the positions: moved by the body's "place", or not
  cache_coordinate coordinates = cache_coordinate::mesh;
  /// longest time between frames; left out: five times the median [s]; max_gap > 0 s; may be absent
  std::optional<double> max_gap = {};
  /// before the first and after the last key: at rest, straight on, or again and again
  cache_end ends = cache_end::rest;
  /// begins; its own time starts from zero then [s]
  double from = 0;
  /// smooth way from the rest shape into the motion; 0: none [s]; ramp ≥ 0 s
  double ramp = 0;
  /// faster is refused as a teleport; left out: 30 body sizes a second [m/s]; max_speed > 0 m/s; may be absent
  std::optional<double> max_speed = {};
  static constexpr const char* model_name = "cache";
  static void fields(auto& self, auto&& visit) { visit("file", self.file); visit("fps", self.fps); visit("coordinates", self.coordinates); visit("max_gap", self.max_gap); visit("ends", self.ends); visit("from", self.from); visit("ramp", self.ramp); visit("max_speed", self.max_speed); }
};

/// joints with tracks of rotations that carry the nodes as skin.
struct skeleton {
  /// skeleton and tracks (JSON)
  std::string file = {};
  /// follow this joint rigidly; left out: skin of all joints; may be absent
  std::optional<std::string> joint = {};
  /// how far around a joint its skin blends; left out: a tenth of the body's size [m]; blend > 0 m; may be absent
  std::optional<double> blend = {};
  /// begins; its own time starts from zero then [s]
  double from = 0;
  /// smooth way from the rest shape into the motion; 0: none [s]; ramp ≥ 0 s
  double ramp = 0;
  /// faster is refused as a teleport; left out: 30 body sizes a second [m/s]; max_speed > 0 m/s; may be absent
  std::optional<double> max_speed = {};
  static constexpr const char* model_name = "skeleton";
  static void fields(auto& self, auto&& visit) { visit("file", self.file); visit("joint", self.joint); visit("blend", self.blend); visit("from", self.from); visit("ramp", self.ramp); visit("max_speed", self.max_speed); }
};

}  // namespace motion

/// How held nodes and colliders move, with exact velocity and acceleration. Holds nothing until a model is assigned.
struct MotionModel : std::variant<std::monostate, motion::harmonic, motion::steady, motion::keyframes, motion::formula, motion::cache, motion::skeleton> {
  using variant::variant;
  static constexpr std::string_view field = "";  ///< none: written {"NAME": {...}}
};

namespace mesh {

enum class bar_split { mirrored, kuhn, five };
constexpr std::array<const char*, 3> names_of(bar_split) { return {"mirrored", "kuhn", "five"}; }

/// a box of tets from the origin along the axes.
struct bar {
  /// lengths of the sides [m]; size > 0 m
  Vec3 size = Vec3(unset, unset, unset);
  /// cells along each side; 1 ≤ cells ≤ 1e+04
  std::array<int, 3> cells = {unset_integer, unset_integer, unset_integer};
  /// how cells are cut into tets
  bar_split split = bar_split::mirrored;
  static constexpr const char* model_name = "bar";
  static void fields(auto& self, auto&& visit) { visit("size", self.size); visit("cells", self.cells); visit("split", self.split); }
};

enum class plate_split { mirrored, kuhn, five };
constexpr std::array<const char*, 3> names_of(plate_split) { return {"mirrored", "kuhn", "five"}; }

/// a slab of tets in the x-z plane about the origin, its thickness along y.
struct plate {
  /// lengths of the sides [m]; size > 0 m
  Vec3 size = Vec3(unset, unset, unset);
  /// cells along each side; 1 ≤ cells ≤ 1e+04
  std::array<int, 3> cells = {unset_integer, unset_integer, unset_integer};
  /// how cells are cut into tets
  plate_split split = plate_split::mirrored;
  static constexpr const char* model_name = "plate";
  static void fields(auto& self, auto&& visit) { visit("size", self.size); visit("cells", self.cells); visit("split", self.split); }
};

/// a grid of triangles in the x-z plane.
struct cloth {
  /// lengths of the sides [m]; size > 0 m
  std::array<double, 2> size = {unset, unset};
  /// cells along each side; 1 ≤ cells ≤ 1e+04
  std::array<int, 2> cells = {unset_integer, unset_integer};
  static constexpr const char* model_name = "cloth";
  static void fields(auto& self, auto&& visit) { visit("size", self.size); visit("cells", self.cells); }
};

/// a ball of 20 layers³ tets about the origin.
struct sphere {
  /// r: radius [m]; radius > 0 m
  double radius = unset;
  /// tets from the center to the surface; 1 ≤ layers ≤ 200
  int layers = unset_integer;
  static constexpr const char* model_name = "sphere";
  static void fields(auto& self, auto&& visit) { visit("radius", self.radius); visit("layers", self.layers); }
};

/// a straight chain of edges (for springs).
struct chain {
  /// first and last point [m]
  std::array<Vec3, 2> ends = {Vec3(unset, unset, unset), Vec3(unset, unset, unset)};
  /// number of edges; 1 ≤ edges ≤ 1e+06
  int edges = unset_integer;
  static constexpr const char* model_name = "chain";
  static void fields(auto& self, auto&& visit) { visit("ends", self.ends); visit("edges", self.edges); }
};

/// straight strands side by side (hair), rooted on a grid in the x-z plane about the origin; their ends are the sets "roots" and "tips".
struct strands {
  /// strands along x and along z; 1 ≤ counts ≤ 1e+04
  std::array<int, 2> counts = {unset_integer, unset_integer};
  /// sides of the grid of roots [m]; size ≥ 0 m
  std::array<double, 2> size = {unset, unset};
  /// from root to tip [m]
  Vec3 to_tip = Vec3(unset, unset, unset);
  /// edges of each strand; 1 ≤ edges ≤ 1e+05
  int edges = unset_integer;
  static constexpr const char* model_name = "strands";
  static void fields(auto& self, auto&& visit) { visit("counts", self.counts); visit("size", self.size); visit("to_tip", self.to_tip); visit("edges", self.edges); }
};

/// a mesh file: .msh, .veg, .node/.ele, .obj, .ply, .off, .stl.
struct file {
  /// file name
  std::string path = {};
  /// unit of the file in meters (0.001: millimeters); scale > 0
  double scale = 1;
  static constexpr const char* model_name = "file";
  static void fields(auto& self, auto&& visit) { visit("path", self.path); visit("scale", self.scale); }
};

/// a creature of the cast (`dashpot mesh --list`), or a shape file.
struct shape {
  /// asset, or file name
  std::string name = {};
  /// wanted number of tets (triangles of a shell or cloth); 10 ≤ tets ≤ 2e+07; may be absent
  std::optional<int> tets = {};
  /// a: lattice spacing instead [m]; spacing > 0 m; may be absent
  std::optional<double> spacing = {};
  /// scale the finished body to this height [m]; height > 0 m; may be absent
  std::optional<double> height = {};
  static constexpr const char* model_name = "shape";
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("tets", self.tets); visit("spacing", self.spacing); visit("height", self.height); }
};

/// points given here, joined by edges (for springs).
struct points {
  /// x, y, z of each point [m]
  std::vector<Vec3> positions = {};
  /// pairs of points, counted from 0
  std::vector<std::array<int, 2>> edges = {};
  static constexpr const char* model_name = "points";
  static void fields(auto& self, auto&& visit) { visit("positions", self.positions); visit("edges", self.edges); }
};

}  // namespace mesh

/// Where a body's nodes and elements come from. Holds nothing until a model is assigned.
struct MeshModel : std::variant<std::monostate, mesh::bar, mesh::plate, mesh::cloth, mesh::sphere, mesh::chain, mesh::strands, mesh::file, mesh::shape, mesh::points> {
  using variant::variant;
  static constexpr std::string_view field = "";  ///< none: written {"NAME": {...}}
};

namespace material {

enum class cloth_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(cloth_mass) { return {"consistent", "lumped"}; }

enum class cloth_rest_bend { as_mesh, straight };
constexpr std::array<const char*, 2> names_of(cloth_rest_bend) { return {"as_mesh", "straight"}; }

/// sheet of triangles: St. Venant-Kirchhoff in its plane, bending by the angles between triangles. [Grinspun2003]
struct cloth {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = 0.3;
  /// k_b: bending stiffness, energy per area k_b/2 κ²; left out: E h³/(12(1 - ν²)) [J]; bending ≥ 0 J; may be absent
  std::optional<double> bending = {};
  /// h: thickness of the sheet [m]; thickness > 0 m
  double thickness = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  cloth_mass mass = cloth_mass::consistent;
  /// where the bend is zero
  cloth_rest_bend rest_bend = cloth_rest_bend::as_mesh;
  static constexpr const char* model_name = "cloth";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("bending", self.bending); visit("thickness", self.thickness); visit("density", self.density); visit("mass", self.mass); visit("rest_bend", self.rest_bend); }
};

enum class woven_cloth_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(woven_cloth_mass) { return {"consistent", "lumped"}; }

enum class woven_cloth_rest_bend { as_mesh, straight };
constexpr std::array<const char*, 2> names_of(woven_cloth_rest_bend) { return {"as_mesh", "straight"}; }

/// cloth with moduli of its own along warp and weft. [Grinspun2003]
struct woven_cloth {
  /// E₁: Young's modulus along the warp [Pa]; warp > 0 Pa
  double warp = unset;
  /// E₂: Young's modulus along the weft [Pa]; weft > 0 Pa
  double weft = unset;
  /// G: shear modulus between them [Pa]; shear > 0 Pa
  double shear = unset;
  /// ν₁₂: contraction along the weft when pulled along the warp
  double poisson = 0;
  /// of the warp, in the rest shape; projected onto each triangle
  Vec3 warp_direction = Vec3(1, 0, 0);
  /// k_b: bending stiffness along the warp [J]; bending ≥ 0 J
  double bending = unset;
  /// along the weft; left out: the same [J]; bending_weft ≥ 0 J; may be absent
  std::optional<double> bending_weft = {};
  /// h: thickness of the sheet [m]; thickness > 0 m
  double thickness = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  woven_cloth_mass mass = woven_cloth_mass::consistent;
  /// where the bend is zero
  woven_cloth_rest_bend rest_bend = woven_cloth_rest_bend::as_mesh;
  static constexpr const char* model_name = "woven_cloth";
  static void fields(auto& self, auto&& visit) { visit("warp", self.warp); visit("weft", self.weft); visit("shear", self.shear); visit("poisson", self.poisson); visit("warp_direction", self.warp_direction); visit("bending", self.bending); visit("bending_weft", self.bending_weft); visit("thickness", self.thickness); visit("density", self.density); visit("mass", self.mass); visit("rest_bend", self.rest_bend); }
};

enum class learned_nominal { corotational, stvk, neo_hookean, stable_neo_hookean };
constexpr std::array<const char*, 4> names_of(learned_nominal) { return {"corotational", "stvk", "neo_hookean", "stable_neo_hookean"}; }

enum class learned_kernel { gaussian, multiquadric };
constexpr std::array<const char*, 2> names_of(learned_kernel) { return {"gaussian", "multiquadric"}; }

enum class learned_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(learned_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct learned_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct learned_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// a known law and a correction, linear in its weights, that is learned from motion. [WangEtAl2020]
struct learned {
  /// a law file (`dashpot learn` writes one): stands for all of its values that are not given here; may be absent
  std::optional<std::string> law = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// the known law that is corrected
  learned_nominal nominal = learned_nominal::corotational;
  /// E₀: what all weights are multiplied by [Pa]; scale > 0 Pa
  double scale = 10000;
  /// t₀, t₁: change of 2μ and of λ
  std::array<double, 2> tail = {0, 0};
  /// f of a stretch: weights of a cubic B-spline, none or at least 4; default [0, 0, 0, 0, 0, 0, 0, 0]
  std::vector<double> stretch = {};
  /// first and last knot; the curve is straight beyond
  std::array<double, 2> stretch_range = {0.65, 1.45};
  /// g of the product of two stretches: weights of a cubic B-spline, none or at least 4
  std::vector<double> area = {};
  /// first and last knot; the curve is straight beyond
  std::array<double, 2> area_range = {0.65, 1.45};
  /// h of the volume ratio: weights of a cubic B-spline, none or at least 4; default [0, 0, 0, 0, 0, 0]
  std::vector<double> volume = {};
  /// first and last knot; the curve is straight beyond
  std::array<double, 2> volume_range = {0.7, 1.3};
  /// weights of an energy made of radial functions of all three stretches
  std::vector<double> kernels = {};
  /// the three stretches where each has its center
  std::vector<Vec3> kernel_centers = {};
  /// w: width of the radial functions; kernel_width > 0
  double kernel_width = 0.15;
  /// kind of the radial functions
  learned_kernel kernel = learned_kernel::gaussian;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  learned_mass mass = learned_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<learned_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<learned_region> regions = {};
  static constexpr const char* model_name = "learned";
  static void fields(auto& self, auto&& visit) { visit("law", self.law); visit("young", self.young); visit("poisson", self.poisson); visit("nominal", self.nominal); visit("scale", self.scale); visit("tail", self.tail); visit("stretch", self.stretch); visit("stretch_range", self.stretch_range); visit("area", self.area); visit("area_range", self.area_range); visit("volume", self.volume); visit("volume_range", self.volume_range); visit("kernels", self.kernels); visit("kernel_centers", self.kernel_centers); visit("kernel_width", self.kernel_width); visit("kernel", self.kernel); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class linear_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(linear_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct linear_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct linear_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// small strain: forces linear in displacement, wrong under rotation. [BonetWood2008]
struct linear {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  linear_mass mass = linear_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<linear_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<linear_region> regions = {};
  static constexpr const char* model_name = "linear";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class corotational_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(corotational_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct corotational_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct corotational_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// linear elasticity in the rotated frame of each tet. [MuellerGross2004]
struct corotational {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  corotational_mass mass = corotational_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<corotational_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<corotational_region> regions = {};
  static constexpr const char* model_name = "corotational";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class arap_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(arap_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct arap_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct arap_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// as rigid as possible: μ |F - R|², no volume term. [Chao2010]
struct arap {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  arap_mass mass = arap_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<arap_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<arap_region> regions = {};
  static constexpr const char* model_name = "arap";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class stvk_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(stvk_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct stvk_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct stvk_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// St. Venant-Kirchhoff: quadratic in Green strain; soft under strong compression. [BonetWood2008]
struct stvk {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  stvk_mass mass = stvk_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<stvk_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<stvk_region> regions = {};
  static constexpr const char* model_name = "stvk";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class neo_hookean_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(neo_hookean_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct neo_hookean_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct neo_hookean_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// compressible neo-Hookean with ln J; refuses inversion. [BonetWood2008]
struct neo_hookean {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  neo_hookean_mass mass = neo_hookean_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<neo_hookean_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<neo_hookean_region> regions = {};
  static constexpr const char* model_name = "neo_hookean";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class stable_neo_hookean_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(stable_neo_hookean_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct stable_neo_hookean_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct stable_neo_hookean_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); }
};

/// neo-Hookean that survives inversion. [SmithDeGoesKim2018]
struct stable_neo_hookean {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  stable_neo_hookean_mass mass = stable_neo_hookean_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<stable_neo_hookean_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<stable_neo_hookean_region> regions = {};
  static constexpr const char* model_name = "stable_neo_hookean";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class mooney_rivlin_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(mooney_rivlin_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct mooney_rivlin_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct mooney_rivlin_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// m: share of the shear modulus that the second invariant carries; at most ν/(1 - 2ν); 0 ≤ second_share ≤ 1; may be absent
  std::optional<double> second_share = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("second_share", self.second_share); visit("density", self.density); }
};

/// compressible Mooney-Rivlin rubber: stress of both invariants; refuses inversion. [CiarletGeymonat1982]
struct mooney_rivlin {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// m: share of the shear modulus that the second invariant carries; at most ν/(1 - 2ν); 0 ≤ second_share ≤ 1
  double second_share = 0.2;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  mooney_rivlin_mass mass = mooney_rivlin_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<mooney_rivlin_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<mooney_rivlin_region> regions = {};
  static constexpr const char* model_name = "mooney_rivlin";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("second_share", self.second_share); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

enum class orthotropic_stvk_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(orthotropic_stvk_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct orthotropic_stvk_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Other values for a part of the body.
struct orthotropic_stvk_region {
  /// which tets
  WhereModel where = {};
  /// E₁ E₂ E₃: Young's moduli along the axes [Pa]; young > 0 Pa; may be absent
  std::optional<Vec3> young = {};
  /// ν₁₂ ν₂₃ ν₃₁: contraction along the second axis when pulled along the first; may be absent
  std::optional<Vec3> poisson = {};
  /// G₁₂ G₂₃ G₃₁: shear moduli [Pa]; shear > 0 Pa; may be absent
  std::optional<Vec3> shear = {};
  /// directions 1 and 2 in the rest shape; 3 is their cross product; may be absent
  std::optional<std::array<Vec3, 2>> axes = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("shear", self.shear); visit("axes", self.axes); visit("density", self.density); }
};

/// St. Venant-Kirchhoff solid with three axes of its own (wood, fibers). [LiBarbic2014]
struct orthotropic_stvk {
  /// E₁ E₂ E₃: Young's moduli along the axes [Pa]; young > 0 Pa
  Vec3 young = Vec3(unset, unset, unset);
  /// ν₁₂ ν₂₃ ν₃₁: contraction along the second axis when pulled along the first
  Vec3 poisson = Vec3(unset, unset, unset);
  /// G₁₂ G₂₃ G₃₁: shear moduli [Pa]; shear > 0 Pa
  Vec3 shear = Vec3(unset, unset, unset);
  /// directions 1 and 2 in the rest shape; 3 is their cross product
  std::array<Vec3, 2> axes = {Vec3(1, 0, 0), Vec3(0, 1, 0)};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  orthotropic_stvk_mass mass = orthotropic_stvk_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<orthotropic_stvk_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<orthotropic_stvk_region> regions = {};
  static constexpr const char* model_name = "orthotropic_stvk";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("shear", self.shear); visit("axes", self.axes); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

/// Of "strain_limit".
struct membrane_strain_limit {
  /// length over rest length below which it resists; 0 ≤ least ≤ 1
  double least = 0;
  /// length over rest length above which it resists; most ≥ 1
  double most = unset;
  /// E': modulus of what is beyond, added to its own [Pa]; young > 0 Pa
  double young = unset;
  static void fields(auto& self, auto&& visit) { visit("least", self.least); visit("most", self.most); visit("young", self.young); }
};

enum class membrane_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(membrane_mass) { return {"consistent", "lumped"}; }

enum class membrane_rest_bend { as_mesh, straight };
constexpr std::array<const char*, 2> names_of(membrane_rest_bend) { return {"as_mesh", "straight"}; }

/// sheet of triangles: as rigid as possible in its plane, with bending stiffness. [Bergou2006]
struct membrane {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio: μ = E/(2(1 + ν)) in the plane, where nothing contracts sideways; -1 < poisson < 0.5
  double poisson = 0;
  /// h: thickness of the sheet [m]; thickness > 0 m
  double thickness = unset;
  /// k_b: bending stiffness, energy per area k_b/2 κ²; left out: E h³/(12(1 - ν²)) [J]; bending ≥ 0 J; may be absent
  std::optional<double> bending = {};
  /// further stiffness of much stretched or squeezed triangles; may be absent
  std::optional<membrane_strain_limit> strain_limit = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  membrane_mass mass = membrane_mass::consistent;
  /// where the bend is zero
  membrane_rest_bend rest_bend = membrane_rest_bend::as_mesh;
  static constexpr const char* model_name = "membrane";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("thickness", self.thickness); visit("bending", self.bending); visit("strain_limit", self.strain_limit); visit("density", self.density); visit("mass", self.mass); visit("rest_bend", self.rest_bend); }
};

enum class strand_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(strand_mass) { return {"consistent", "lumped"}; }

enum class strand_rest_bend { as_mesh, straight };
constexpr std::array<const char*, 2> names_of(strand_rest_bend) { return {"as_mesh", "straight"}; }

/// elastic strands (hair, threads) along the edges of a mesh: round, with bending stiffness, without twist. [BonetWood2008]
struct strand {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// d: diameter of the strand [m]; diameter > 0 m
  double diameter = unset;
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  strand_mass mass = strand_mass::consistent;
  /// where the bend is zero
  strand_rest_bend rest_bend = strand_rest_bend::as_mesh;
  static constexpr const char* model_name = "strand";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("diameter", self.diameter); visit("density", self.density); visit("mass", self.mass); visit("rest_bend", self.rest_bend); }
};

/// Of "tension".
struct spline_tension {
  /// s: length over rest length; stretch > 0
  double stretch = unset;
  /// p: first Piola-Kirchhoff stress at this stretch [Pa]
  double stress = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("stress", self.stress); }
};

/// Of "compression".
struct spline_compression {
  /// s: length over rest length; stretch > 0
  double stretch = unset;
  /// p: first Piola-Kirchhoff stress at this stretch [Pa]
  double stress = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("stress", self.stress); }
};

enum class spline_mass { consistent, lumped };
constexpr std::array<const char*, 2> names_of(spline_mass) { return {"consistent", "lumped"}; }

/// Of "limits".
struct spline_limit {
  /// least and largest length over rest length, in every direction; around 1; stretch ≥ 0; may be absent
  std::optional<std::array<double, 2>> stretch = {};
  /// least and largest volume over rest volume; around 1; volume ≥ 0; may be absent
  std::optional<std::array<double, 2>> volume = {};
  /// w: stiffness beyond the bounds: they are exceeded by about stress / w [Pa]; modulus > 0 Pa
  double modulus = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("volume", self.volume); visit("modulus", self.modulus); }
};

/// Of "tension".
struct spline_region_tension {
  /// s: length over rest length; stretch > 0
  double stretch = unset;
  /// p: first Piola-Kirchhoff stress at this stretch [Pa]
  double stress = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("stress", self.stress); }
};

/// Of "compression".
struct spline_region_compression {
  /// s: length over rest length; stretch > 0
  double stretch = unset;
  /// p: first Piola-Kirchhoff stress at this stretch [Pa]
  double stress = unset;
  static void fields(auto& self, auto&& visit) { visit("stretch", self.stretch); visit("stress", self.stress); }
};

/// Other values for a part of the body.
struct spline_region {
  /// which tets
  WhereModel where = {};
  /// E: Young's modulus [Pa]; young > 0 Pa; may be absent
  std::optional<double> young = {};
  /// ν: Poisson's ratio; -1 < poisson < 0.5; may be absent
  std::optional<double> poisson = {};
  /// points at stretches > 1; empty: straight; may be absent
  std::optional<std::vector<spline_region_tension>> tension = {};
  /// points at stretches < 1; empty: straight; may be absent
  std::optional<std::vector<spline_region_compression>> compression = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3; may be absent
  std::optional<double> density = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("young", self.young); visit("poisson", self.poisson); visit("tension", self.tension); visit("compression", self.compression); visit("density", self.density); }
};

/// principal-stretch material whose stress over stretch is drawn as curves, tension and compression apart. [XuSinZhuBarbic2015]
struct spline {
  /// E: Young's modulus [Pa]; young > 0 Pa
  double young = unset;
  /// ν: Poisson's ratio; -1 < poisson < 0.5
  double poisson = unset;
  /// points at stretches > 1; empty: straight
  std::vector<spline_tension> tension = {};
  /// points at stretches < 1; empty: straight
  std::vector<spline_compression> compression = {};
  /// ρ: mass per volume at rest [kg/m3]; density > 0 kg/m3
  double density = unset;
  /// mass matrix; explicit steppers need lumped
  spline_mass mass = spline_mass::consistent;
  /// bounds of the deformation of each tet, beside the material's own law; may be absent
  std::optional<spline_limit> limits = {};
  /// other values for parts of the body; may be absent
  std::vector<spline_region> regions = {};
  static constexpr const char* model_name = "spline";
  static void fields(auto& self, auto&& visit) { visit("young", self.young); visit("poisson", self.poisson); visit("tension", self.tension); visit("compression", self.compression); visit("density", self.density); visit("mass", self.mass); visit("limits", self.limits); visit("regions", self.regions); }
};

}  // namespace material

/// Elastic energy and density of a body's tets, triangles or edges. Holds nothing until a model is assigned.
struct MaterialModel : std::variant<std::monostate, material::cloth, material::woven_cloth, material::learned, material::linear, material::corotational, material::arap, material::stvk, material::neo_hookean, material::stable_neo_hookean, material::mooney_rivlin, material::orthotropic_stvk, material::membrane, material::strand, material::spline> {
  using variant::variant;
  static constexpr std::string_view field = "model";
};

namespace load {

/// a constant force on a node or a patch, in a window of time.
struct force {
  /// nodes that share the force equally
  WhereModel where = {};
  /// f: total force [N]
  Vec3 force = Vec3(unset, unset, unset);
  /// begins [s]
  double from = 0;
  /// ends; left out: never [s]; may be absent
  std::optional<double> until = {};
  /// linear rise and fall within the window [s]; ramp ≥ 0 s
  double ramp = 0;
  static constexpr const char* model_name = "force";
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("force", self.force); visit("from", self.from); visit("until", self.until); visit("ramp", self.ramp); }
};

/// force · sin(2π f t + φ), in a window of time.
struct harmonic {
  /// nodes that share the force equally
  WhereModel where = {};
  /// f: total force [N]
  Vec3 force = Vec3(unset, unset, unset);
  /// begins [s]
  double from = 0;
  /// ends; left out: never [s]; may be absent
  std::optional<double> until = {};
  /// linear rise and fall within the window [s]; ramp ≥ 0 s
  double ramp = 0;
  /// f: cycles per second [Hz]; frequency > 0 Hz
  double frequency = unset;
  /// φ: sin(2π f t + φ) [rad]
  double phase = 0;
  static constexpr const char* model_name = "harmonic";
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("force", self.force); visit("from", self.from); visit("until", self.until); visit("ramp", self.ramp); visit("frequency", self.frequency); visit("phase", self.phase); }
};

}  // namespace load

/// Forces given in time. Holds nothing until a model is assigned.
struct LoadModel : std::variant<std::monostate, load::force, load::harmonic> {
  using variant::variant;
  static constexpr std::string_view field = "model";
};

namespace start {

/// two sheets that are sewn together, lifted off each other as a bag is opened.
struct opened {
  /// of each sheet off the plane of the pattern [m]; lift > 0 m
  double lift = unset;
  /// distance from the seam at which the lift is whole; left out: as long as the lift [m]; rise > 0 m; may be absent
  std::optional<double> rise = {};
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "opened";
  static void fields(auto& self, auto&& visit) { visit("lift", self.lift); visit("rise", self.rise); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// the shape of the mesh.
struct rest {
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "rest";
  static void fields(auto& self, auto&& visit) { visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// static balance of elasticity, gravity and the loads given here, which are let go at time zero.
struct equilibrium {
  /// act only before time zero, with their value at time zero
  std::vector<LoadModel> loads = {};
  /// whether gravity acts in the balance
  bool gravity = true;
  /// whether the body's own loads (at time zero) act in the balance
  bool lasting_loads = true;
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "equilibrium";
  static void fields(auto& self, auto&& visit) { visit("loads", self.loads); visit("gravity", self.gravity); visit("lasting_loads", self.lasting_loads); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// node positions from a file, in the mesh's order; held nodes stay where the mesh has them.
struct pose {
  /// a mesh file with the same nodes, or lines of x y z [m]
  std::string file = {};
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "pose";
  static void fields(auto& self, auto&& visit) { visit("file", self.file); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// rest plus a displacement, given as formulas of the rest position X, Y, Z [m].
struct formula {
  /// for example "0.1*X^2"
  std::string x = "0";
  /// displacement along y
  std::string y = "0";
  /// displacement along z
  std::string z = "0";
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "formula";
  static void fields(auto& self, auto&& visit) { visit("x", self.x); visit("y", self.y); visit("z", self.z); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// rest plus a vibration mode of the body.
struct mode {
  /// number, from 1, rigid motions not counted; mode ≥ 1
  int mode = 1;
  /// A: displacement of the node that moves most [m]
  double amplitude = unset;
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "mode";
  static void fields(auto& self, auto&& visit) { visit("mode", self.mode); visit("amplitude", self.amplitude); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// rest with a part turned about an axis; smooth at the border of the part.
struct bend {
  /// the part
  WhereModel where = {};
  /// direction of the axis, right-handed
  Vec3 axis = Vec3(unset, unset, unset);
  /// turn of the deep nodes of the part [rad]
  double angle = unset;
  /// a point of the axis; the middle of the part's border unless given [m]; may be absent
  std::optional<Vec3> center = {};
  /// depth from the border at which the turn is whole; half of the greatest depth unless given [m]; rise > 0 m; may be absent
  std::optional<double> rise = {};
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "bend";
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("axis", self.axis); visit("angle", self.angle); visit("center", self.center); visit("rise", self.rise); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

/// a frame of a recorded run of the same mesh.
struct frame {
  /// folder of the run, relative to the scene
  std::string run = {};
  /// t: the frame nearest to this time is taken [s]
  double time = unset;
  /// its name in that run; the same name unless given; may be absent
  std::optional<std::string> body = {};
  /// v: added to every node [m/s]
  Vec3 velocity = Vec3(0, 0, 0);
  /// ω: spin about the center of mass [rad/s]
  Vec3 angular_velocity = Vec3(0, 0, 0);
  static constexpr const char* model_name = "frame";
  static void fields(auto& self, auto&& visit) { visit("run", self.run); visit("time", self.time); visit("body", self.body); visit("velocity", self.velocity); visit("angular_velocity", self.angular_velocity); }
};

}  // namespace start

/// Positions and velocities at time zero. Holds nothing until a model is assigned.
struct StartModel : std::variant<std::monostate, start::opened, start::rest, start::equilibrium, start::pose, start::formula, start::mode, start::bend, start::frame> {
  using variant::variant;
  static constexpr std::string_view field = "from";
};

namespace damping {

/// drag of the air on every triangle of the surface, ½ρ A (c_n |u_n| u_n + c_t |u_t| u_t), u against the wind; not a property of the material. [Batchelor1967]
struct air_drag {
  /// ρ: of the air [kg/m3]; density ≥ 0 kg/m3
  double density = 1.2;
  /// c_n: drag coefficient across a triangle; normal ≥ 0
  double normal = 1;
  /// c_t: along it; tangential ≥ 0
  double tangential = 0.02;
  /// w: velocity of the air [m/s]
  Vec3 wind = Vec3(0, 0, 0);
  /// share of the wind that comes and goes; gust ≥ 0
  double gust = 0;
  /// T: of the gusts [s]; period > 0 s
  double period = 1;
  static constexpr const char* model_name = "air_drag";
  static void fields(auto& self, auto&& visit) { visit("density", self.density); visit("normal", self.normal); visit("tangential", self.tangential); visit("wind", self.wind); visit("gust", self.gust); visit("period", self.period); }
};

enum class relative_cluster { parts, body, elements, tets, triangles, edges, nearest, groups };
constexpr std::array<const char*, 8> names_of(relative_cluster) { return {"parts", "body", "elements", "tets", "triangles", "edges", "nearest", "groups"}; }

enum class relative_torque { none, rigid, center, edges, reduced_mass, unsafe_edges_printed, unsafe_edges_inverted, unsafe_centroid, unsafe_linear_program };
constexpr std::array<const char*, 9> names_of(relative_torque) { return {"none", "rigid", "center", "edges", "reduced_mass", "unsafe_edges_printed", "unsafe_edges_inverted", "unsafe_centroid", "unsafe_linear_program"}; }

/// v ← v − γ (v − v of its cluster as one) with γ = 1 − exp(−r dt); keeps momenta, needs no stiffness, allows larger explicit steps. [SchmeddingGisslerTeschner2009]
struct relative {
  /// r: rate of decay of motion relative to that of the cluster [/s]; rate ≥ 0 /s; may be absent
  std::optional<double> rate = {};
  /// γ: fraction of motion relative to that of the cluster removed in each step; depends on dt; 0 ≤ gamma_per_step ≤ 1; may be absent
  std::optional<double> gamma_per_step = {};
  /// what is damped together: connected parts (global damping), the whole body even where it is not connected, its elements (local damping: tets, else triangles, edges or springs), a kind of element, each point with its nearest neighbors, groups of your own
  relative_cluster clusters = relative_cluster::parts;
  /// k: with "nearest": how many neighbors each point has at rest; 1 ≤ neighbors ≤ 1000
  int neighbors = 8;
  /// with "groups": the points of each; may be absent
  std::optional<std::vector<WhereModel>> groups = {};
  /// k: passes within a step, each over dt/k (of gamma_per_step each): clusters that overlap then take jagged motion away and leave smooth motion; 1 ≤ iterations ≤ 1000
  int iterations = 1;
  /// how rotation is spared: rigid (all but the cluster's rigid motion is damped), center (only motion towards the center of mass), edges, reduced_mass (motion along edges), none (rotation is braked; the strongest); the unsafe_ forms, kept to compare, may create energy
  relative_torque torque = relative_torque::rigid;
  static constexpr const char* model_name = "relative";
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("gamma_per_step", self.gamma_per_step); visit("clusters", self.clusters); visit("neighbors", self.neighbors); visit("groups", self.groups); visit("iterations", self.iterations); visit("torque", self.torque); }
};

/// Of "zeta".
struct rayleigh_zeta {
  /// f: frequency where this ratio is wanted [Hz]; f > 0 Hz; may be absent
  std::optional<double> f = {};
  /// or the number of a vibration mode, from 1; mode ≥ 1; may be absent
  std::optional<int> mode = {};
  /// ζ: damping ratio; 0 ≤ zeta < 1
  double zeta = unset;
  static void fields(auto& self, auto&& visit) { visit("f", self.f); visit("mode", self.mode); visit("zeta", self.zeta); }
};

enum class rayleigh_share { flattest, stiffness_only, mass_only };
constexpr std::array<const char*, 3> names_of(rayleigh_share) { return {"flattest", "stiffness_only", "mass_only"}; }

enum class rayleigh_stiffness { rest, projected_tangent, gauss_newton };
constexpr std::array<const char*, 3> names_of(rayleigh_stiffness) { return {"rest", "projected_tangent", "gauss_newton"}; }

/// Of "zeta".
struct rayleigh_region_zeta {
  /// f: frequency where this ratio is wanted [Hz]; f > 0 Hz; may be absent
  std::optional<double> f = {};
  /// or the number of a vibration mode, from 1; mode ≥ 1; may be absent
  std::optional<int> mode = {};
  /// ζ: damping ratio; 0 ≤ zeta < 1
  double zeta = unset;
  static void fields(auto& self, auto&& visit) { visit("f", self.f); visit("mode", self.mode); visit("zeta", self.zeta); }
};

/// Other values for a part of the body.
struct rayleigh_region {
  /// which tets
  WhereModel where = {};
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s; may be absent
  std::optional<double> alpha = {};
  /// β: stiffness-proportional [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  /// damping ratio at one or two frequencies or modes; may be absent
  std::optional<std::vector<rayleigh_region_zeta>> zeta = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("alpha", self.alpha); visit("beta", self.beta); visit("zeta", self.zeta); }
};

/// C = α M + β K; ζ(f) = α/(2ω) + βω/2. [Rayleigh1877]
struct rayleigh {
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s; may be absent
  std::optional<double> alpha = {};
  /// β: stiffness-proportional [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  /// damping ratio at one or two frequencies or modes; may be absent
  std::optional<std::vector<rayleigh_zeta>> zeta = {};
  /// how one zeta is shared between α and β
  rayleigh_share share = rayleigh_share::stiffness_only;
  /// which K: rest shape (damps rotation), projected tangent at the start of the step, or the part blind to rigid motion
  rayleigh_stiffness stiffness = rayleigh_stiffness::gauss_newton;
  /// name of a field of the mesh file ($ElementData of a .msh): multiplies α and β of each element by its value there; may be absent
  std::optional<std::string> painted = {};
  /// other amounts for parts of the body; may be absent
  std::vector<rayleigh_region> regions = {};
  static constexpr const char* model_name = "rayleigh";
  static void fields(auto& self, auto&& visit) { visit("alpha", self.alpha); visit("beta", self.beta); visit("zeta", self.zeta); visit("share", self.share); visit("stiffness", self.stiffness); visit("painted", self.painted); visit("regions", self.regions); }
};

/// v ← (1 − γ) v with γ = 1 − exp(−r dt); brakes every motion, flight included.
struct ether_drag {
  /// r: rate of decay of velocity [/s]; rate ≥ 0 /s; may be absent
  std::optional<double> rate = {};
  /// γ: fraction of velocity removed in each step; depends on dt; 0 ≤ gamma_per_step ≤ 1; may be absent
  std::optional<double> gamma_per_step = {};
  static constexpr const char* model_name = "ether_drag";
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("gamma_per_step", self.gamma_per_step); }
};

enum class fiber_strain_rate_metric { green, corotational };
constexpr std::array<const char*, 2> names_of(fiber_strain_rate_metric) { return {"green", "corotational"}; }

/// Of "curve".
struct fiber_strain_rate_curve {
  /// r: strain rate [/s]; rate ≥ 0 /s
  double rate = unset;
  /// a: of the viscosity at this rate; factor ≥ 0
  double factor = unset;
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("factor", self.factor); }
};

enum class fiber_strain_rate_tangent { exact, symmetric, velocity };
constexpr std::array<const char*, 3> names_of(fiber_strain_rate_tangent) { return {"exact", "symmetric", "velocity"}; }

/// Other values for a part of the body.
struct fiber_strain_rate_region {
  /// which tets
  WhereModel where = {};
  /// μ_d: shear viscosity in all directions [Pa s]; viscosity ≥ 0 Pa s; may be absent
  std::optional<double> viscosity = {};
  /// λ_d: against change of volume [Pa s]; may be absent
  std::optional<double> second_viscosity = {};
  /// μ_f: more viscosity against stretch along the fibers [Pa s]; fiber ≥ 0 Pa s; may be absent
  std::optional<double> fiber = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("viscosity", self.viscosity); visit("second_viscosity", self.second_viscosity); visit("fiber", self.fiber); }
};

/// strain-rate damping of a solid with fibers: more against stretch along them. [SanchezBanderasOtaduy2018]
struct fiber_strain_rate {
  /// μ_d: shear viscosity in all directions [Pa s]; viscosity ≥ 0 Pa s
  double viscosity = unset;
  /// λ_d: against change of volume [Pa s]
  double second_viscosity = 0;
  /// μ_f: more viscosity against stretch along the fibers [Pa s]; fiber ≥ 0 Pa s
  double fiber = unset;
  /// a: of the fibers, in the rest shape
  Vec3 direction = Vec3(unset, unset, unset);
  /// which strain: Green's, whose damping goes with the square of the stretch, or corotational, whose does not
  fiber_strain_rate_metric metric = fiber_strain_rate_metric::green;
  /// n: of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster; 0 < exponent ≤ 10
  double exponent = 1;
  /// r_0: with an exponent: strain rate at which the viscosity is the one given [/s]; reference_rate > 0 /s
  double reference_rate = 1;
  /// in place of an exponent: the factor over the strain rate, drawn; may be absent
  std::optional<std::vector<fiber_strain_rate_curve>> curve = {};
  /// derivative with respect to positions that Newton uses. exact: fewest iterations, a matrix that is not symmetric; symmetric: without negative stresses, for Cholesky or CG; velocity: none
  fiber_strain_rate_tangent tangent = fiber_strain_rate_tangent::exact;
  /// other viscosities for parts of the body; may be absent
  std::vector<fiber_strain_rate_region> regions = {};
  static constexpr const char* model_name = "fiber_strain_rate";
  static void fields(auto& self, auto&& visit) { visit("viscosity", self.viscosity); visit("second_viscosity", self.second_viscosity); visit("fiber", self.fiber); visit("direction", self.direction); visit("metric", self.metric); visit("exponent", self.exponent); visit("reference_rate", self.reference_rate); visit("curve", self.curve); visit("tangent", self.tangent); visit("regions", self.regions); }
};

enum class orthotropic_strain_rate_metric { green, corotational };
constexpr std::array<const char*, 2> names_of(orthotropic_strain_rate_metric) { return {"green", "corotational"}; }

/// Of "curve".
struct orthotropic_strain_rate_curve {
  /// r: strain rate [/s]; rate ≥ 0 /s
  double rate = unset;
  /// a: of the viscosity at this rate; factor ≥ 0
  double factor = unset;
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("factor", self.factor); }
};

enum class orthotropic_strain_rate_tangent { exact, symmetric, velocity };
constexpr std::array<const char*, 3> names_of(orthotropic_strain_rate_tangent) { return {"exact", "symmetric", "velocity"}; }

/// strain-rate damping of a solid with three axes of its own. [SanchezBanderasOtaduy2018]
struct orthotropic_strain_rate {
  /// μ₁ μ₂ μ₃: against stretch along the axes [Pa s]; along ≥ 0 Pa s
  Vec3 along = Vec3(unset, unset, unset);
  /// μ₁₂ μ₂₃ μ₃₁: against shear between the axes [Pa s]; shear ≥ 0 Pa s
  Vec3 shear = Vec3(unset, unset, unset);
  /// directions 1 and 2 in the rest shape; 3 is their cross product
  std::array<Vec3, 2> axes = {Vec3(1, 0, 0), Vec3(0, 1, 0)};
  /// which strain: Green's, whose damping goes with the square of the stretch, or corotational, whose does not
  orthotropic_strain_rate_metric metric = orthotropic_strain_rate_metric::green;
  /// n: of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster; 0 < exponent ≤ 10
  double exponent = 1;
  /// r_0: with an exponent: strain rate at which the viscosity is the one given [/s]; reference_rate > 0 /s
  double reference_rate = 1;
  /// in place of an exponent: the factor over the strain rate, drawn; may be absent
  std::optional<std::vector<orthotropic_strain_rate_curve>> curve = {};
  /// derivative with respect to positions that Newton uses. exact: fewest iterations, a matrix that is not symmetric; symmetric: without negative stresses, for Cholesky or CG; velocity: none
  orthotropic_strain_rate_tangent tangent = orthotropic_strain_rate_tangent::exact;
  static constexpr const char* model_name = "orthotropic_strain_rate";
  static void fields(auto& self, auto&& visit) { visit("along", self.along); visit("shear", self.shear); visit("axes", self.axes); visit("metric", self.metric); visit("exponent", self.exponent); visit("reference_rate", self.reference_rate); visit("curve", self.curve); visit("tangent", self.tangent); }
};

enum class woven_strain_rate_metric { green, corotational };
constexpr std::array<const char*, 2> names_of(woven_strain_rate_metric) { return {"green", "corotational"}; }

/// Of "curve".
struct woven_strain_rate_curve {
  /// r: strain rate [/s]; rate ≥ 0 /s
  double rate = unset;
  /// a: of the viscosity at this rate; factor ≥ 0
  double factor = unset;
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("factor", self.factor); }
};

enum class woven_strain_rate_tangent { exact, symmetric, velocity };
constexpr std::array<const char*, 3> names_of(woven_strain_rate_tangent) { return {"exact", "symmetric", "velocity"}; }

/// strain-rate damping of cloth, mode by mode: warp, weft, shear, bend. [SanchezBanderasOtaduy2018]
struct woven_strain_rate {
  /// against stretch along the warp [Pa s]; warp ≥ 0 Pa s
  double warp = unset;
  /// against stretch along the weft [Pa s]; weft ≥ 0 Pa s
  double weft = unset;
  /// against shear in the plane [Pa s]; shear ≥ 0 Pa s
  double shear = unset;
  /// k_d: against bending: moment per length and rate of curvature [J s]; bend ≥ 0 J s
  double bend = 0;
  /// of the warp, in the rest shape; projected onto each triangle
  Vec3 warp_direction = Vec3(1, 0, 0);
  /// which strain: Green's, whose damping goes with the square of the stretch, or corotational, whose does not
  woven_strain_rate_metric metric = woven_strain_rate_metric::green;
  /// n: of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster; 0 < exponent ≤ 10
  double exponent = 1;
  /// r_0: with an exponent: strain rate at which the viscosity is the one given [/s]; reference_rate > 0 /s
  double reference_rate = 1;
  /// in place of an exponent: the factor over the strain rate, drawn; may be absent
  std::optional<std::vector<woven_strain_rate_curve>> curve = {};
  /// derivative with respect to positions that Newton uses. exact: fewest iterations, a matrix that is not symmetric; symmetric: without negative stresses, for Cholesky or CG; velocity: none
  woven_strain_rate_tangent tangent = woven_strain_rate_tangent::exact;
  static constexpr const char* model_name = "woven_strain_rate";
  static void fields(auto& self, auto&& visit) { visit("warp", self.warp); visit("weft", self.weft); visit("shear", self.shear); visit("bend", self.bend); visit("warp_direction", self.warp_direction); visit("metric", self.metric); visit("exponent", self.exponent); visit("reference_rate", self.reference_rate); visit("curve", self.curve); visit("tangent", self.tangent); }
};

enum class example_based_example_interpolation { linear, monotone, bezier };
constexpr std::array<const char*, 3> names_of(example_based_example_interpolation) { return {"linear", "monotone", "bezier"}; }

enum class example_based_example_preset_name { soft_landing, calm_when_small, lively_when_small, lively_then_caught, end_stop, sticky_middle };
constexpr std::array<const char*, 6> names_of(example_based_example_preset_name) { return {"soft_landing", "calm_when_small", "lively_when_small", "lively_then_caught", "end_stop", "sticky_middle"}; }

/// Of "preset".
struct example_based_example_preset {
  /// see docs/theory/example_based.md
  std::optional<example_based_example_preset_name> name = {};
  /// |χ| (or |χ̇|) the preset is scaled to; amplitude > 0
  double amplitude = 1;
  /// gain at its strong end; 0.001 ≤ strength ≤ 1000
  double strength = unset;
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("amplitude", self.amplitude); visit("strength", self.strength); }
};

/// Of "examples".
struct example_based_example {
  /// for tables and messages
  std::string name = {};
  /// the deformation, as a pose to start from; its size is what χ = 1 means
  StartModel shape = {};
  /// take the static, linearized form of the shape: what the load M x bends the rest shape to, scaled to the same largest displacement. It holds the slow part of the shape, which is what is seen to vibrate
  bool relaxed = false;
  /// γ: gain: 1 leaves the damping, 3 triples it, 0 removes it; 0 ≤ gamma ≤ 1000; may be absent
  std::optional<double> gamma = {};
  /// points [|χ|, γ], or [|χ̇| in 1/s, γ] where it depends on velocity; constant outside; may be absent
  std::optional<std::vector<std::array<double, 2>>> curve = {};
  /// between the points, in log10 γ; bezier: knot, handle, handle, knot, ...
  example_based_example_interpolation interpolation = example_based_example_interpolation::monotone;
  /// a ready-made curve; may be absent
  std::optional<example_based_example_preset> preset = {};
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("shape", self.shape); visit("relaxed", self.relaxed); visit("gamma", self.gamma); visit("curve", self.curve); visit("interpolation", self.interpolation); visit("preset", self.preset); }
};

enum class example_based_coupling { lowdin, nonnegative, symmetrized, raw };
constexpr std::array<const char*, 4> names_of(example_based_coupling) { return {"lowdin", "nonnegative", "symmetrized", "raw"}; }

enum class example_based_depends_on { displacement, velocity };
constexpr std::array<const char*, 2> names_of(example_based_depends_on) { return {"displacement", "velocity"}; }

/// Of "curve".
struct example_based_isotropic_curve {
  /// size of the displacement [m]; size ≥ 0 m
  double size = unset;
  /// γ: gain: 1 leaves the damping, 3 triples it, 0 removes it; 0 < gamma ≤ 1000
  double gamma = unset;
  static void fields(auto& self, auto&& visit) { visit("size", self.size); visit("gamma", self.gamma); }
};

enum class example_based_isotropic_interpolation { linear, monotone, bezier };
constexpr std::array<const char*, 3> names_of(example_based_isotropic_interpolation) { return {"linear", "monotone", "bezier"}; }

enum class example_based_isotropic_norm { mass_rms, euclidean };
constexpr std::array<const char*, 2> names_of(example_based_isotropic_norm) { return {"mass_rms", "euclidean"}; }

/// Of "isotropic".
struct example_based_isotropic {
  /// points of the gain of everything
  std::vector<example_based_isotropic_curve> curve = {};
  /// between the points, in log10 γ; bezier: knot, handle, handle, knot, ...
  example_based_isotropic_interpolation interpolation = example_based_isotropic_interpolation::monotone;
  /// size of the displacement: mass-weighted rms, or the paper's sum over nodes, which grows with their number
  example_based_isotropic_norm norm = example_based_isotropic_norm::mass_rms;
  static void fields(auto& self, auto&& visit) { visit("curve", self.curve); visit("interpolation", self.interpolation); visit("norm", self.norm); }
};

enum class example_based_counted_from { equilibrium, rest };
constexpr std::array<const char*, 2> names_of(example_based_counted_from) { return {"equilibrium", "rest"}; }

enum class example_based_frame { automatic, fixed, corotated, local };
constexpr std::array<const char*, 4> names_of(example_based_frame) { return {"automatic", "fixed", "corotated", "local"}; }

/// C with a gain γ along each example deformation; everything C-orthogonal to them is left as it is. [XuBarbic2017]
struct example_based {
  /// the damping C that is changed, e.g. rayleigh
  Boxed<DampingModel> over = {};
  /// deformations and their gains
  std::vector<example_based_example> examples = {};
  /// how examples that are not C-orthogonal share: lowdin is passive and bounded; nonnegative is the paper's fix; raw and symmetrized can create energy
  example_based_coupling coupling = example_based_coupling::lowdin;
  /// what curves depend on
  example_based_depends_on depends_on = example_based_depends_on::displacement;
  /// a gain of the whole damping by amplitude; may be absent
  std::optional<example_based_isotropic> isotropic = {};
  /// where displacements are zero: the static balance with gravity and the loads that last, for a body that is held; or the rest shape
  example_based_counted_from counted_from = example_based_counted_from::equilibrium;
  /// fixed: examples stay as at rest; corotated: they turn with the whole body; local: each part turns with the material around it; automatic: local, and fixed where the damping is that of the rest shape
  example_based_frame frame = example_based_frame::automatic;
  static constexpr const char* model_name = "example_based";
  static void fields(auto& self, auto&& visit) { visit("over", self.over); visit("examples", self.examples); visit("coupling", self.coupling); visit("depends_on", self.depends_on); visit("isotropic", self.isotropic); visit("counted_from", self.counted_from); visit("frame", self.frame); }
};

enum class bouc_wen_tangent { exact, symmetric };
constexpr std::array<const char*, 2> names_of(bouc_wen_tangent) { return {"exact", "symmetric"}; }

/// hysteresis: a spring and a slider in series, whose loss a cycle depends on the amplitude and not on the speed; exponent 1 and delta 1, as solids and sheets have it in strain: Dahl friction. [Wen1976]
struct bouc_wen {
  /// g: of the stiffness, for small motions; share ≥ 0
  double share = unset;
  /// z₀: at which springs (length over rest length) and the strain of solids and sheets (its size) yield; strain > 0; may be absent
  std::optional<double> strain = {};
  /// z₀: at which hinges yield [rad]; angle > 0 rad; may be absent
  std::optional<double> angle = {};
  /// n: 1: yields gradually; 2: more sharply; 1 ≤ exponent ≤ 2
  int exponent = 1;
  /// δ: 0: unloads as an elastic spring does; 1: Dahl; 0 ≤ delta ≤ 1
  double delta = 1;
  /// of solids and sheets, for Newton. exact: fewest iterations, a matrix that is not symmetric; symmetric: for Cholesky or CG
  bouc_wen_tangent tangent = bouc_wen_tangent::symmetric;
  static constexpr const char* model_name = "bouc_wen";
  static void fields(auto& self, auto&& visit) { visit("share", self.share); visit("strain", self.strain); visit("angle", self.angle); visit("exponent", self.exponent); visit("delta", self.delta); visit("tangent", self.tangent); }
};

enum class laplacian_keep { linear, element, global };
constexpr std::array<const char*, 3> names_of(laplacian_keep) { return {"linear", "element", "global"}; }

/// Other values for a part of the body.
struct laplacian_region {
  /// which tets
  WhereModel where = {};
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s; may be absent
  std::optional<double> alpha = {};
  /// β: times the Laplacian, whose weights are 2 μ V of tets, k of springs [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("alpha", self.alpha); visit("beta", self.beta); }
};

/// α M v + β (L v − e): L is constant, so that projective dynamics damps for nothing; e is what is rotation. [LiLiuKavan2018]
struct laplacian {
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s; may be absent
  std::optional<double> alpha = {};
  /// β: times the Laplacian, whose weights are 2 μ V of tets, k of springs [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  /// linear: momentum only, rotation is braked (the paper's form, one constant matrix); element: rotation of every element is free; global: rotation of the whole body is free
  laplacian_keep keeps = laplacian_keep::element;
  /// other amounts for parts of the body; may be absent
  std::vector<laplacian_region> regions = {};
  static constexpr const char* model_name = "laplacian";
  static void fields(auto& self, auto&& visit) { visit("alpha", self.alpha); visit("beta", self.beta); visit("keeps", self.keeps); visit("regions", self.regions); }
};

/// Other values for a part of the body.
struct variational_region {
  /// which tets
  WhereModel where = {};
  /// η: shear viscosity; c dt μ in the paper's terms [Pa s]; viscosity ≥ 0 Pa s; may be absent
  std::optional<double> viscosity = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("viscosity", self.viscosity); }
};

/// elastic energy whose rest pose is the start of the step, as viscosity; the law is ARAP. [KharevychEtAl2006]
struct variational {
  /// η: shear viscosity; c dt μ in the paper's terms [Pa s]; viscosity ≥ 0 Pa s
  double viscosity = unset;
  /// other viscosities for parts of the body; may be absent
  std::vector<variational_region> regions = {};
  static constexpr const char* model_name = "variational";
  static void fields(auto& self, auto&& visit) { visit("viscosity", self.viscosity); visit("regions", self.regions); }
};

/// v ← v + γ (v_cm + ω × r − v) with γ = 1 − exp(−r dt); keeps momenta, but sends motion through the whole body at once. [MullerHeidelbergerHennixRatcliff2007]
struct pbd {
  /// r: rate of decay of motion relative to the rigid one [/s]; rate ≥ 0 /s; may be absent
  std::optional<double> rate = {};
  /// γ: fraction of motion relative to the rigid one removed in each step; depends on dt; 0 ≤ gamma_per_step ≤ 1; may be absent
  std::optional<double> gamma_per_step = {};
  static constexpr const char* model_name = "pbd";
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("gamma_per_step", self.gamma_per_step); }
};

/// Other values for a part of the body.
struct maxwell_region {
  /// which tets
  WhereModel where = {};
  /// G: shear modulus that acts beside the body's when it moves fast [Pa]; modulus ≥ 0 Pa; may be absent
  std::optional<double> modulus = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("modulus", self.modulus); }
};

/// a spring and a dashpot in series on the deviator of the Green strain: stress relaxes with exp(−t/τ); losses peak at ω = 1/τ. [SimoHughes1998]
struct maxwell {
  /// G: shear modulus that acts beside the body's when it moves fast [Pa]; modulus ≥ 0 Pa
  double modulus = unset;
  /// τ: relaxation time [s]; tau > 0 s
  double tau = unset;
  /// name of a field of the mesh file ($ElementData of a .msh): multiplies G of each element by its value there; may be absent
  std::optional<std::string> painted = {};
  /// other moduli for parts of the body; may be absent
  std::vector<maxwell_region> regions = {};
  static constexpr const char* model_name = "maxwell";
  static void fields(auto& self, auto&& visit) { visit("modulus", self.modulus); visit("tau", self.tau); visit("painted", self.painted); visit("regions", self.regions); }
};

/// Of "branches".
struct prony_branche {
  /// g: of the body's moduli; share ≥ 0
  double share = unset;
  /// τ: relaxation time [s]; tau > 0 s
  double tau = unset;
  static void fields(auto& self, auto&& visit) { visit("share", self.share); visit("tau", self.tau); }
};

/// Of "branches".
struct prony_region_branche {
  /// g: of the body's moduli; share ≥ 0
  double share = unset;
  /// τ: relaxation time [s]; tau > 0 s
  double tau = unset;
  static void fields(auto& self, auto&& visit) { visit("share", self.share); visit("tau", self.tau); }
};

/// Other values for a part of the body.
struct prony_region {
  /// which tets
  WhereModel where = {};
  /// shares and relaxation times; may be absent
  std::optional<std::vector<prony_region_branche>> branches = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("branches", self.branches); }
};

/// generalized Maxwell series: branches of a spring and a dashpot in series beside everything elastic of the body; complex moduli C (1 + Σ gₖ iωτₖ/(1 + iωτₖ)). [SimoHughes1998]
struct prony {
  /// shares and relaxation times
  std::vector<prony_branche> branches = {};
  /// f₀: frequency at which the material's moduli are those given; left out: at rest [Hz]; at > 0 Hz; may be absent
  std::optional<double> at = {};
  /// name of a field of the mesh file ($ElementData of a .msh): multiplies the shares of each element by its value there; may be absent
  std::optional<std::string> painted = {};
  /// other branches for parts of a solid; may be absent
  std::vector<prony_region> regions = {};
  static constexpr const char* model_name = "prony";
  static void fields(auto& self, auto&& visit) { visit("branches", self.branches); visit("at", self.at); visit("painted", self.painted); visit("regions", self.regions); }
};

/// Other values for a part of the body.
struct zener_region {
  /// which tets
  WhereModel where = {};
  /// η: at the peak; twice the damping ratio; loss_factor ≥ 0; may be absent
  std::optional<double> loss_factor = {};
  /// f: frequency of the peak [Hz]; f > 0 Hz; may be absent
  std::optional<double> f = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("loss_factor", self.loss_factor); visit("f", self.f); }
};

/// standard linear solid: one branch, from its largest loss factor and the frequency of that peak. [SimoHughes1998]
struct zener {
  /// η: at the peak; twice the damping ratio; loss_factor ≥ 0
  double loss_factor = unset;
  /// f: frequency of the peak [Hz]; f > 0 Hz
  double f = unset;
  /// f₀: frequency at which the material's moduli are those given; left out: at rest [Hz]; at > 0 Hz; may be absent
  std::optional<double> at = {};
  /// other peaks for parts of a solid; may be absent
  std::vector<zener_region> regions = {};
  static constexpr const char* model_name = "zener";
  static void fields(auto& self, auto&& visit) { visit("loss_factor", self.loss_factor); visit("f", self.f); visit("at", self.at); visit("regions", self.regions); }
};

/// Other values for a part of the body.
struct structural_region {
  /// which tets
  WhereModel where = {};
  /// η: twice the damping ratio of every mode in the band; 0 ≤ loss_factor < 1; may be absent
  std::optional<double> loss_factor = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("loss_factor", self.loss_factor); }
};

/// structural (hysteretic) damping: one loss factor, the same over a band of frequencies, by a Prony series two branches a decade. [SimoHughes1998]
struct structural {
  /// η: twice the damping ratio of every mode in the band; 0 ≤ loss_factor < 1
  double loss_factor = unset;
  /// f₁: lowest frequency of the band [Hz]; from > 0 Hz
  double from = unset;
  /// f₂: highest frequency of the band [Hz]; to > 0 Hz
  double to = unset;
  /// f₀: frequency at which the material's moduli are those given; left out: the geometric mean of the band [Hz]; at > 0 Hz; may be absent
  std::optional<double> at = {};
  /// other loss factors for parts of a solid; may be absent
  std::vector<structural_region> regions = {};
  static constexpr const char* model_name = "structural";
  static void fields(auto& self, auto&& visit) { visit("loss_factor", self.loss_factor); visit("from", self.from); visit("to", self.to); visit("at", self.at); visit("regions", self.regions); }
};

/// Of "ratios".
struct modal_ratio {
  /// number, from 1, rigid motions not counted; mode ≥ 1
  int mode = unset_integer;
  /// ζ: damping ratio; 0 ≤ zeta < 1
  double zeta = unset;
  static void fields(auto& self, auto&& visit) { visit("mode", self.mode); visit("zeta", self.zeta); }
};

/// Of "curve".
struct modal_curve {
  /// f: frequency [Hz]; f > 0 Hz
  double f = unset;
  /// ζ: damping ratio; 0 ≤ zeta < 1
  double zeta = unset;
  static void fields(auto& self, auto&& visit) { visit("f", self.f); visit("zeta", self.zeta); }
};

/// Of "band".
struct modal_band {
  /// from [Hz]; low ≥ 0 Hz
  double low = unset;
  /// to [Hz]
  double high = unset;
  /// ζ: damping ratio; 0 ≤ zeta < 1
  double zeta = unset;
  static void fields(auto& self, auto&& visit) { visit("low", self.low); visit("high", self.high); visit("zeta", self.zeta); }
};

/// Of "caughey".
struct modal_caughey {
  /// a_j of C = M Σ a_j (M⁻¹K)^p_j [SI]
  std::vector<double> coefficients = {};
  /// p_j; 0 and 1 are Rayleigh's
  std::vector<int> powers = {};
  static void fields(auto& self, auto&& visit) { visit("coefficients", self.coefficients); visit("powers", self.powers); }
};

/// a damping ratio for each vibration mode, low-rank over an optional damping. [WilsonPenzien1972]
struct modal {
  /// damping of everything that is not one of the modes, e.g. rayleigh; may be absent
  Boxed<DampingModel> over = {};
  /// mode by mode; may be absent
  std::optional<std::vector<modal_ratio>> ratios = {};
  /// ζ(f): straight in log f between the points, constant outside; may be absent
  std::optional<std::vector<modal_curve>> curve = {};
  /// one ratio for all modes of a band; may be absent
  std::optional<modal_band> band = {};
  /// Caughey's series; may be absent
  std::optional<modal_caughey> caughey = {};
  /// how many modes a curve, a band or a series damps; 1 ≤ modes ≤ 1000
  int modes = 20;
  static constexpr const char* model_name = "modal";
  static void fields(auto& self, auto&& visit) { visit("over", self.over); visit("ratios", self.ratios); visit("curve", self.curve); visit("band", self.band); visit("caughey", self.caughey); visit("modes", self.modes); }
};

/// v ← (1 − c dt/m) v at every node: brakes fall and spin, light nodes most; ether_drag is its twin with one rate for all. [SchmeddingGisslerTeschner2009]
struct point {
  /// c: force per velocity of each node; below 2 m_min/dt [N s/m]; coefficient ≥ 0 N s/m
  double coefficient = unset;
  static constexpr const char* model_name = "point";
  static void fields(auto& self, auto&& visit) { visit("coefficient", self.coefficient); }
};

/// v ← v − dt M⁻¹ Σ c n nᵀ (v_i − v_j) over the edges of the mesh and the springs, from predicted velocities. [SchmeddingGisslerTeschner2009]
struct spring {
  /// c: of the dashpot on each edge; below 2/(dt λ_max), told when not [N s/m]; coefficient ≥ 0 N s/m; may be absent
  std::optional<double> coefficient = {};
  /// γ: c = γ/(dt λ) with a bound λ that lets no motion overshoot; depends on dt; 0 ≤ gamma_per_step ≤ 1; may be absent
  std::optional<double> gamma_per_step = {};
  /// along the edges only: keeps angular momentum; false brakes rotation
  bool project = true;
  /// k: how often within each step; iterations ≥ 1
  int iterations = 1;
  static constexpr const char* model_name = "spring";
  static void fields(auto& self, auto&& visit) { visit("coefficient", self.coefficient); visit("gamma_per_step", self.gamma_per_step); visit("project", self.project); visit("iterations", self.iterations); }
};

enum class strain_rate_zeta_motion { stretch, bend };
constexpr std::array<const char*, 2> names_of(strain_rate_zeta_motion) { return {"stretch", "bend"}; }

/// Of "zeta".
struct strain_rate_zeta {
  /// f: frequency where this ratio is wanted [Hz]; f > 0 Hz; may be absent
  std::optional<double> f = {};
  /// or the number of a vibration mode, from 1; mode ≥ 1; may be absent
  std::optional<int> mode = {};
  /// ζ: damping ratio; 0 ≤ zeta < 1; may be absent
  std::optional<double> zeta = {};
  /// η: or the loss factor there, 2ζ; 0 ≤ loss_factor < 2; may be absent
  std::optional<double> loss_factor = {};
  /// of sheets and strands: which motion has this ratio; left out: both; may be absent
  std::optional<strain_rate_zeta_motion> motion = {};
  static void fields(auto& self, auto&& visit) { visit("f", self.f); visit("mode", self.mode); visit("zeta", self.zeta); visit("loss_factor", self.loss_factor); visit("motion", self.motion); }
};

enum class strain_rate_metric { green, corotational };
constexpr std::array<const char*, 2> names_of(strain_rate_metric) { return {"green", "corotational"}; }

/// Of "curve".
struct strain_rate_curve {
  /// r: strain rate [/s]; rate ≥ 0 /s
  double rate = unset;
  /// a: of the viscosity at this rate; factor ≥ 0
  double factor = unset;
  static void fields(auto& self, auto&& visit) { visit("rate", self.rate); visit("factor", self.factor); }
};

enum class strain_rate_tangent { exact, symmetric, velocity };
constexpr std::array<const char*, 3> names_of(strain_rate_tangent) { return {"exact", "symmetric", "velocity"}; }

/// Other values for a part of the body.
struct strain_rate_region {
  /// which tets
  WhereModel where = {};
  /// β: times the moduli of what the body is made of; at rest as rayleigh's β [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  /// μ_d: or the shear viscosity, of solids and sheets [Pa s]; viscosity ≥ 0 Pa s; may be absent
  std::optional<double> viscosity = {};
  /// λ_d: against change of volume, at least −2/3 of the viscosity [Pa s]; may be absent
  std::optional<double> second_viscosity = {};
  /// κ_d: the same said as λ_d + 2/3 μ_d: of pure change of volume [Pa s]; bulk_viscosity ≥ 0 Pa s; may be absent
  std::optional<double> bulk_viscosity = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("beta", self.beta); visit("viscosity", self.viscosity); visit("second_viscosity", self.second_viscosity); visit("bulk_viscosity", self.bulk_viscosity); }
};

/// viscosity in the rate of the strain: resists the change of shape alone, free under rigid motion. [SanchezBanderasOtaduy2018]
struct strain_rate {
  /// β: times the moduli of what the body is made of; at rest as rayleigh's β [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  /// or the damping ratio of a frequency or mode: β = ζ/(π f); of sheets and strands one of the stretch and one of the bend; may be absent
  std::optional<std::vector<strain_rate_zeta>> zeta = {};
  /// β_b: of bends of sheets and strands; left out: β [s]; bend_beta ≥ 0 s; may be absent
  std::optional<double> bend_beta = {};
  /// μ_d: or the shear viscosity, of solids and sheets [Pa s]; viscosity ≥ 0 Pa s; may be absent
  std::optional<double> viscosity = {};
  /// λ_d: against change of volume, at least −2/3 of the viscosity [Pa s]; may be absent
  std::optional<double> second_viscosity = {};
  /// κ_d: the same said as λ_d + 2/3 μ_d: of pure change of volume [Pa s]; bulk_viscosity ≥ 0 Pa s; may be absent
  std::optional<double> bulk_viscosity = {};
  /// k_d: of sheets given by viscosities: moment per length and rate of curvature; left out: none [J s]; bending_viscosity ≥ 0 J s; may be absent
  std::optional<double> bending_viscosity = {};
  /// which strain: Green's, whose damping goes with the square of the stretch, or corotational, whose does not
  strain_rate_metric metric = strain_rate_metric::green;
  /// n: of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster; 0 < exponent ≤ 10
  double exponent = 1;
  /// r_0: with an exponent: strain rate at which the viscosity is the one given [/s]; reference_rate > 0 /s
  double reference_rate = 1;
  /// in place of an exponent: the factor over the strain rate, drawn; may be absent
  std::optional<std::vector<strain_rate_curve>> curve = {};
  /// derivative with respect to positions that Newton uses. exact: fewest iterations, a matrix that is not symmetric; symmetric: without negative stresses, for Cholesky or CG; velocity: none
  strain_rate_tangent tangent = strain_rate_tangent::exact;
  /// bends of strands below this angle are damped in every direction, which brakes rotation a little; 0: never [rad]; 0 rad ≤ blend ≤ 0.1 rad
  double blend = 0;
  /// name of a field of the mesh file ($ElementData of a .msh): multiplies β or the viscosities of each element by its value there; may be absent
  std::optional<std::string> painted = {};
  /// other amounts for parts of a solid; may be absent
  std::vector<strain_rate_region> regions = {};
  static constexpr const char* model_name = "strain_rate";
  static void fields(auto& self, auto&& visit) { visit("beta", self.beta); visit("zeta", self.zeta); visit("bend_beta", self.bend_beta); visit("viscosity", self.viscosity); visit("second_viscosity", self.second_viscosity); visit("bulk_viscosity", self.bulk_viscosity); visit("bending_viscosity", self.bending_viscosity); visit("metric", self.metric); visit("exponent", self.exponent); visit("reference_rate", self.reference_rate); visit("curve", self.curve); visit("tangent", self.tangent); visit("blend", self.blend); visit("painted", self.painted); visit("regions", self.regions); }
};

enum class stretch_rayleigh_kernel { gaussian, multiquadric, distance };
constexpr std::array<const char*, 3> names_of(stretch_rayleigh_kernel) { return {"gaussian", "multiquadric", "distance"}; }

enum class stretch_rayleigh_stiffness { projected_tangent, gauss_newton };
constexpr std::array<const char*, 2> names_of(stretch_rayleigh_stiffness) { return {"projected_tangent", "gauss_newton"}; }

/// Other values for a part of the body.
struct stretch_rayleigh_region {
  /// which tets
  WhereModel where = {};
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s; may be absent
  std::optional<double> alpha = {};
  /// β: stiffness-proportional [s]; beta ≥ 0 s; may be absent
  std::optional<double> beta = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("alpha", self.alpha); visit("beta", self.beta); }
};

/// Rayleigh damping of the known law whose α and β follow the largest stretch of each element; never below zero. [WangEtAl2020]
struct stretch_rayleigh {
  /// a law file: stands for all values of this damping that are not given here; may be absent
  std::optional<std::string> law = {};
  /// α: mass-proportional; also damps flight and fall [/s]; alpha ≥ 0 /s
  double alpha = 0;
  /// β: stiffness-proportional [s]; beta ≥ 0 s
  double beta = 0;
  /// added to α over the largest stretch: weights of a cubic B-spline, none or at least 4
  std::vector<double> alpha_curve = {};
  /// what the weights of the curve are multiplied by [/s]; alpha_scale > 0 /s
  double alpha_scale = 1;
  /// added to β likewise
  std::vector<double> beta_curve = {};
  /// what the weights of the curve are multiplied by [s]; beta_scale > 0 s
  double beta_scale = 0.01;
  /// first and last knot of both curves, which are constant beyond
  std::array<double, 2> curve_range = {1, 1.3};
  /// added to α: weights of radial functions of all three stretches
  std::vector<double> alpha_kernels = {};
  /// added to β likewise
  std::vector<double> beta_kernels = {};
  /// the three stretches, in descending order, where each radial function has its center
  std::vector<Vec3> kernel_centers = {};
  /// w: width of the radial functions; kernel_width > 0
  double kernel_width = 0.1;
  /// kind of the radial functions
  stretch_rayleigh_kernel kernel = stretch_rayleigh_kernel::gaussian;
  /// which K of the known law, at the start of the step: projected tangent, or the part blind to rigid motion
  stretch_rayleigh_stiffness stiffness = stretch_rayleigh_stiffness::gauss_newton;
  /// other amounts for parts of the body; may be absent
  std::vector<stretch_rayleigh_region> regions = {};
  static constexpr const char* model_name = "stretch_rayleigh";
  static void fields(auto& self, auto&& visit) { visit("law", self.law); visit("alpha", self.alpha); visit("beta", self.beta); visit("alpha_curve", self.alpha_curve); visit("alpha_scale", self.alpha_scale); visit("beta_curve", self.beta_curve); visit("beta_scale", self.beta_scale); visit("curve_range", self.curve_range); visit("alpha_kernels", self.alpha_kernels); visit("beta_kernels", self.beta_kernels); visit("kernel_centers", self.kernel_centers); visit("kernel_width", self.kernel_width); visit("kernel", self.kernel); visit("stiffness", self.stiffness); visit("regions", self.regions); }
};

}  // namespace damping

/// What takes energy out of a body. None is the default. Holds nothing until a model is assigned.
struct DampingModel : std::variant<std::monostate, damping::air_drag, damping::relative, damping::rayleigh, damping::ether_drag, damping::fiber_strain_rate, damping::orthotropic_strain_rate, damping::woven_strain_rate, damping::example_based, damping::bouc_wen, damping::laplacian, damping::variational, damping::pbd, damping::maxwell, damping::prony, damping::zener, damping::structural, damping::modal, damping::point, damping::spring, damping::strain_rate, damping::stretch_rayleigh> {
  using variant::variant;
  static constexpr std::string_view field = "model";
};

namespace stepper {

/// implicit, order 1; strong numerical damping. [BaraffWitkin1998]
struct backward_euler {
  static constexpr const char* model_name = "backward_euler";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2, 2 solves a step; damps only what the step cannot resolve. [Bathe2007]
struct bathe {
  static constexpr const char* model_name = "bathe";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2; moderate numerical damping of high frequencies. [HairerWanner1996]
struct bdf2 {
  static constexpr const char* model_name = "bdf2";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2; chosen loss at infinite frequency. [ChungHulbert1993]
struct generalized_alpha {
  /// ρ∞: spectral radius at infinite frequency: 1 keeps all, 0 kills it in one step; 0 ≤ rho_inf ≤ 1
  double rho_inf = 0.8;
  static constexpr const char* model_name = "generalized_alpha";
  static void fields(auto& self, auto&& visit) { visit("rho_inf", self.rho_inf); }
};

/// explicit, order 2; no numerical damping while stable; needs lumped mass. [HairerLubichWanner2006]
struct leapfrog {
  static constexpr const char* model_name = "leapfrog";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2; no numerical damping of linear systems, keeps angular momentum. [HairerLubichWanner2006]
struct midpoint {
  static constexpr const char* model_name = "midpoint";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2; a family: gamma above 1/2 dissipates and is of order 1. [Newmark1959]
struct newmark {
  /// β: displacement weight of the end acceleration; 0 < beta ≤ 1
  double beta = 0.25;
  /// γ: velocity weight of the end acceleration; 0.5 ≤ gamma ≤ 1
  double gamma = 0.5;
  static constexpr const char* model_name = "newmark";
  static void fields(auto& self, auto&& visit) { visit("beta", self.beta); visit("gamma", self.gamma); }
};

/// implicit, order 2, 2 solves a step; as bathe, with a chosen loss at infinite frequency. [NohBathe2019]
struct rho_inf_bathe {
  /// ρ∞: spectral radius at infinite frequency: 1 keeps all, 0 kills it in one step; 0 ≤ rho_inf ≤ 1
  double rho_inf = 0.5;
  /// γ: share of the step in its first sub-step; left out: both have the same matrix; 0 < split < 1; may be absent
  std::optional<double> split = {};
  static constexpr const char* model_name = "rho_inf_bathe";
  static void fields(auto& self, auto&& visit) { visit("rho_inf", self.rho_inf); visit("split", self.split); }
};

/// implicit, order 3, 3 solves a step; accurate where motions are smooth; kills what the step cannot resolve. [Alexander1977]
struct sdirk3 {
  static constexpr const char* model_name = "sdirk3";
  static void fields(auto&, auto&&) {}
};

/// explicit, order 1; no numerical damping while stable; needs lumped mass. [HairerLubichWanner2006]
struct symplectic_euler {
  static constexpr const char* model_name = "symplectic_euler";
  static void fields(auto&, auto&&) {}
};

/// implicit, order 2; no numerical damping of linear systems. [Newmark1959]
struct trapezoid {
  static constexpr const char* model_name = "trapezoid";
  static void fields(auto&, auto&&) {}
};

}  // namespace stepper

/// How time advances. Holds nothing until a model is assigned.
struct StepperModel : std::variant<std::monostate, stepper::backward_euler, stepper::bathe, stepper::bdf2, stepper::generalized_alpha, stepper::leapfrog, stepper::midpoint, stepper::newmark, stepper::rho_inf_bathe, stepper::sdirk3, stepper::symplectic_euler, stepper::trapezoid> {
  using variant::variant;
  static constexpr std::string_view field = "";  ///< none: written {"NAME": {...}}
};

namespace collider {

/// everything behind a plane: a floor, a wall, a slope.
struct plane {
  /// a point of the plane [m]
  Vec3 point = Vec3(0, 0, 0);
  /// n: towards the free side; any length but zero
  Vec3 normal = Vec3(0, 1, 0);
  /// appears in messages and pictures; left out: the kind and a number; may be absent
  std::optional<std::string> name = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: a sticking node creeps, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the body's modulus, size and weight (the run says how much) [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// force per overlap of a node without surface (points, springs); left out: from its weight and springs [N/m]; node_stiffness > 0 N/m; may be absent
  std::optional<double> node_stiffness = {};
  /// w: overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// distance kept from the surface [m]; thickness ≥ 0 m
  double thickness = 0;
  /// c: loss of an impact: pressure · (1 + c · approach speed) [s/m]; damping ≥ 0 s/m; may be absent
  std::optional<double> damping = {};
  /// e: speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping; 0 < restitution ≤ 1; may be absent
  std::optional<double> restitution = {};
  /// impact speed at which restitution holds [m/s]; restitution_speed > 0 m/s
  double restitution_speed = 1;
  /// how it moves; left out: it stands still; may be absent
  MotionModel motion = {};
  /// refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies
  bool step_limit = false;
  /// names of the bodies it touches; left out: all; may be absent
  std::optional<std::vector<std::string>> bodies = {};
  static constexpr const char* model_name = "plane";
  static void fields(auto& self, auto&& visit) { visit("point", self.point); visit("normal", self.normal); visit("name", self.name); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("node_stiffness", self.node_stiffness); visit("onset", self.onset); visit("thickness", self.thickness); visit("damping", self.damping); visit("restitution", self.restitution); visit("restitution_speed", self.restitution_speed); visit("motion", self.motion); visit("step_limit", self.step_limit); visit("bodies", self.bodies); }
};

/// a ball, or (hollow) a round room.
struct sphere {
  /// its middle [m]
  Vec3 center = Vec3(unset, unset, unset);
  /// r: its radius [m]; radius > 0 m
  double radius = unset;
  /// inside out: bodies are kept within
  bool hollow = false;
  /// appears in messages and pictures; left out: the kind and a number; may be absent
  std::optional<std::string> name = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: a sticking node creeps, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the body's modulus, size and weight (the run says how much) [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// force per overlap of a node without surface (points, springs); left out: from its weight and springs [N/m]; node_stiffness > 0 N/m; may be absent
  std::optional<double> node_stiffness = {};
  /// w: overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// distance kept from the surface [m]; thickness ≥ 0 m
  double thickness = 0;
  /// c: loss of an impact: pressure · (1 + c · approach speed) [s/m]; damping ≥ 0 s/m; may be absent
  std::optional<double> damping = {};
  /// e: speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping; 0 < restitution ≤ 1; may be absent
  std::optional<double> restitution = {};
  /// impact speed at which restitution holds [m/s]; restitution_speed > 0 m/s
  double restitution_speed = 1;
  /// how it moves; left out: it stands still; may be absent
  MotionModel motion = {};
  /// refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies
  bool step_limit = false;
  /// names of the bodies it touches; left out: all; may be absent
  std::optional<std::vector<std::string>> bodies = {};
  static constexpr const char* model_name = "sphere";
  static void fields(auto& self, auto&& visit) { visit("center", self.center); visit("radius", self.radius); visit("hollow", self.hollow); visit("name", self.name); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("node_stiffness", self.node_stiffness); visit("onset", self.onset); visit("thickness", self.thickness); visit("damping", self.damping); visit("restitution", self.restitution); visit("restitution_speed", self.restitution_speed); visit("motion", self.motion); visit("step_limit", self.step_limit); visit("bodies", self.bodies); }
};

/// all points within a radius of a segment: a rod with round ends.
struct capsule {
  /// one end of the segment [m]
  Vec3 from = Vec3(unset, unset, unset);
  /// the other end [m]
  Vec3 to = Vec3(unset, unset, unset);
  /// r: its radius [m]; radius > 0 m
  double radius = unset;
  /// inside out: bodies are kept within
  bool hollow = false;
  /// appears in messages and pictures; left out: the kind and a number; may be absent
  std::optional<std::string> name = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: a sticking node creeps, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the body's modulus, size and weight (the run says how much) [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// force per overlap of a node without surface (points, springs); left out: from its weight and springs [N/m]; node_stiffness > 0 N/m; may be absent
  std::optional<double> node_stiffness = {};
  /// w: overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// distance kept from the surface [m]; thickness ≥ 0 m
  double thickness = 0;
  /// c: loss of an impact: pressure · (1 + c · approach speed) [s/m]; damping ≥ 0 s/m; may be absent
  std::optional<double> damping = {};
  /// e: speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping; 0 < restitution ≤ 1; may be absent
  std::optional<double> restitution = {};
  /// impact speed at which restitution holds [m/s]; restitution_speed > 0 m/s
  double restitution_speed = 1;
  /// how it moves; left out: it stands still; may be absent
  MotionModel motion = {};
  /// refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies
  bool step_limit = false;
  /// names of the bodies it touches; left out: all; may be absent
  std::optional<std::vector<std::string>> bodies = {};
  static constexpr const char* model_name = "capsule";
  static void fields(auto& self, auto&& visit) { visit("from", self.from); visit("to", self.to); visit("radius", self.radius); visit("hollow", self.hollow); visit("name", self.name); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("node_stiffness", self.node_stiffness); visit("onset", self.onset); visit("thickness", self.thickness); visit("damping", self.damping); visit("restitution", self.restitution); visit("restitution_speed", self.restitution_speed); visit("motion", self.motion); visit("step_limit", self.step_limit); visit("bodies", self.bodies); }
};

/// a box with rounded edges, or (hollow) a room.
struct box {
  /// its middle [m]
  Vec3 center = Vec3(unset, unset, unset);
  /// full lengths of its edges [m]; size > 0 m
  Vec3 size = Vec3(unset, unset, unset);
  /// radius of its edges; 0: sharp [m]; rounding ≥ 0 m
  double rounding = 0;
  /// rotation vector (axis times angle) about its middle [rad]
  Vec3 rotate = Vec3(0, 0, 0);
  /// inside out: bodies are kept within
  bool hollow = false;
  /// appears in messages and pictures; left out: the kind and a number; may be absent
  std::optional<std::string> name = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: a sticking node creeps, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the body's modulus, size and weight (the run says how much) [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// force per overlap of a node without surface (points, springs); left out: from its weight and springs [N/m]; node_stiffness > 0 N/m; may be absent
  std::optional<double> node_stiffness = {};
  /// w: overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// distance kept from the surface [m]; thickness ≥ 0 m
  double thickness = 0;
  /// c: loss of an impact: pressure · (1 + c · approach speed) [s/m]; damping ≥ 0 s/m; may be absent
  std::optional<double> damping = {};
  /// e: speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping; 0 < restitution ≤ 1; may be absent
  std::optional<double> restitution = {};
  /// impact speed at which restitution holds [m/s]; restitution_speed > 0 m/s
  double restitution_speed = 1;
  /// how it moves; left out: it stands still; may be absent
  MotionModel motion = {};
  /// refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies
  bool step_limit = false;
  /// names of the bodies it touches; left out: all; may be absent
  std::optional<std::vector<std::string>> bodies = {};
  static constexpr const char* model_name = "box";
  static void fields(auto& self, auto&& visit) { visit("center", self.center); visit("size", self.size); visit("rounding", self.rounding); visit("rotate", self.rotate); visit("hollow", self.hollow); visit("name", self.name); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("node_stiffness", self.node_stiffness); visit("onset", self.onset); visit("thickness", self.thickness); visit("damping", self.damping); visit("restitution", self.restitution); visit("restitution_speed", self.restitution_speed); visit("motion", self.motion); visit("step_limit", self.step_limit); visit("bodies", self.bodies); }
};

/// the solid inside a closed surface; an open one pushes only within its thickness. [BaerentzenAanaes2005]
struct mesh {
  /// triangles, or tets whose surface is meant
  MeshModel of = {};
  /// applied first; scale > 0
  double scale = 1;
  /// rotation vector (axis times angle), applied second [rad]
  Vec3 rotate = Vec3(0, 0, 0);
  /// applied last [m]
  Vec3 translate = Vec3(0, 0, 0);
  /// inside out: bodies are kept within
  bool hollow = false;
  /// appears in messages and pictures; left out: the kind and a number; may be absent
  std::optional<std::string> name = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: a sticking node creeps, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the body's modulus, size and weight (the run says how much) [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// force per overlap of a node without surface (points, springs); left out: from its weight and springs [N/m]; node_stiffness > 0 N/m; may be absent
  std::optional<double> node_stiffness = {};
  /// w: overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// distance kept from the surface [m]; thickness ≥ 0 m
  double thickness = 0;
  /// c: loss of an impact: pressure · (1 + c · approach speed) [s/m]; damping ≥ 0 s/m; may be absent
  std::optional<double> damping = {};
  /// e: speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping; 0 < restitution ≤ 1; may be absent
  std::optional<double> restitution = {};
  /// impact speed at which restitution holds [m/s]; restitution_speed > 0 m/s
  double restitution_speed = 1;
  /// how it moves; left out: it stands still; may be absent
  MotionModel motion = {};
  /// refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies
  bool step_limit = false;
  /// names of the bodies it touches; left out: all; may be absent
  std::optional<std::vector<std::string>> bodies = {};
  static constexpr const char* model_name = "mesh";
  static void fields(auto& self, auto&& visit) { visit("of", self.of); visit("scale", self.scale); visit("rotate", self.rotate); visit("translate", self.translate); visit("hollow", self.hollow); visit("name", self.name); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("node_stiffness", self.node_stiffness); visit("onset", self.onset); visit("thickness", self.thickness); visit("damping", self.damping); visit("restitution", self.restitution); visit("restitution_speed", self.restitution_speed); visit("motion", self.motion); visit("step_limit", self.step_limit); visit("bodies", self.bodies); }
};

}  // namespace collider

/// What bodies cannot enter: fixed, or moving as told; with friction and damping of its own. Holds nothing until a model is assigned.
struct ColliderModel : std::variant<std::monostate, collider::plane, collider::sphere, collider::capsule, collider::box, collider::mesh> {
  using variant::variant;
  static constexpr std::string_view field = "";  ///< none: written {"NAME": {...}}
};

/// Of "time".
struct Time {
  /// h: time step [s]; dt > 0 s
  double dt = unset;
  /// T: when the run ends [s]; end > 0 s
  double end = unset;
  /// how time advances; default "bathe"
  StepperModel stepper = {};
  /// how often a failed step may be halved before the run stops
  int max_halvings = 6;
  static void fields(auto& self, auto&& visit) { visit("dt", self.dt); visit("end", self.end); visit("stepper", self.stepper); visit("max_halvings", self.max_halvings); }
};

enum class SolverLinear { auto_, cholmod, cg, lu, eigen };
constexpr std::array<const char*, 5> names_of(SolverLinear) { return {"auto", "cholmod", "cg", "lu", "eigen"}; }

enum class NewtonTangent { exact_then_projected, projected };
constexpr std::array<const char*, 2> names_of(NewtonTangent) { return {"exact_then_projected", "projected"}; }

/// Of "newton".
struct Newton {
  /// iterations before the step counts as failed; max_iterations ≥ 1
  int max_iterations = 20;
  /// residual relative to the forces that act; 0 < tolerance < 1
  double tolerance = 1e-08;
  /// take exactly so many iterations (real time); 0: iterate to the tolerance
  int fixed_iterations = 0;
  /// Hessian that Newton uses
  NewtonTangent tangent = NewtonTangent::exact_then_projected;
  static void fields(auto& self, auto&& visit) { visit("max_iterations", self.max_iterations); visit("tolerance", self.tolerance); visit("fixed_iterations", self.fixed_iterations); visit("tangent", self.tangent); }
};

/// Of "cg".
struct Cg {
  /// residual relative to the right-hand side; 0 < tolerance < 1
  double tolerance = 1e-08;
  /// per right-hand side; max_iterations ≥ 1
  int max_iterations = 2000;
  static void fields(auto& self, auto&& visit) { visit("tolerance", self.tolerance); visit("max_iterations", self.max_iterations); }
};

enum class ProjectivePrecision { double_, single };
constexpr std::array<const char*, 2> names_of(ProjectivePrecision) { return {"double", "single"}; }

enum class ProjectiveAcceleration { none, anderson };
constexpr std::array<const char*, 2> names_of(ProjectiveAcceleration) { return {"none", "anderson"}; }

/// Of "projective".
struct Projective {
  /// local/global iterations of a stage, all of them taken; 0: iterate to the tolerance
  int iterations = 10;
  /// residual relative to the forces that act; 0 < tolerance < 1
  double tolerance = 1e-08;
  /// before a step counts as failed, where iterations is 0; 1 ≤ max_iterations ≤ 1e+06
  int max_iterations = 2000;
  /// arithmetic of the projections
  ProjectivePrecision precision = ProjectivePrecision::double_;
  /// how iterations are made to converge sooner
  ProjectiveAcceleration acceleration = ProjectiveAcceleration::none;
  /// steps that Anderson acceleration combines; 1 ≤ window ≤ 20
  int window = 5;
  /// give back the angular momentum that unfinished iterations lose; midpoint and backward_euler
  bool restore_momentum = false;
  /// time a step (in real time: a frame) may take on this machine, all stages together; iterations end early to keep it; 0: no limit [s]; budget ≥ 0 s
  double budget = 0;
  static void fields(auto& self, auto&& visit) { visit("iterations", self.iterations); visit("tolerance", self.tolerance); visit("max_iterations", self.max_iterations); visit("precision", self.precision); visit("acceleration", self.acceleration); visit("window", self.window); visit("restore_momentum", self.restore_momentum); visit("budget", self.budget); }
};

/// Of "solver".
struct Solver {
  /// linear solver; auto chooses by size and reuse
  SolverLinear linear = SolverLinear::auto_;
  /// nonlinear equations of a step
  Newton newton = {};
  /// conjugate gradients
  Cg cg = {};
  /// solve stages by projective dynamics instead of Newton's method: a constant matrix, factored once; may be absent
  std::optional<Projective> projective = {};
  static void fields(auto& self, auto&& visit) { visit("linear", self.linear); visit("newton", self.newton); visit("cg", self.cg); visit("projective", self.projective); }
};

enum class BodyElements { as_mesh, tet4, tet10 };
constexpr std::array<const char*, 3> names_of(BodyElements) { return {"as_mesh", "tet4", "tet10"}; }

/// Of "place".
struct Place {
  /// applied first; scale > 0
  double scale = 1;
  /// rotation vector (axis times angle), applied second [rad]
  Vec3 rotate = Vec3(0, 0, 0);
  /// applied last [m]
  Vec3 translate = Vec3(0, 0, 0);
  static void fields(auto& self, auto&& visit) { visit("scale", self.scale); visit("rotate", self.rotate); visit("translate", self.translate); }
};

enum class PinAxes { x, y, z };
constexpr std::array<const char*, 3> names_of(PinAxes) { return {"x", "y", "z"}; }

/// Of "pins".
struct Pin {
  /// nodes that are held
  WhereModel where = {};
  /// which coordinates are held; default ["x", "y", "z"]
  std::vector<PinAxes> axes = {};
  /// how the held nodes move: keyframes, a skeleton, a shaking table; may be absent
  MotionModel motion = {};
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("axes", self.axes); visit("motion", self.motion); }
};

/// Of "springs".
struct Spring {
  /// k: force per elongation [N/m]; stiffness > 0 N/m
  double stiffness = unset;
  /// pairs of nodes; left out: every edge of the mesh; may be absent
  std::optional<std::vector<std::array<int, 2>>> between = {};
  /// L: left out: length in the mesh [m]; rest_length ≥ 0 m; may be absent
  std::optional<double> rest_length = {};
  static void fields(auto& self, auto&& visit) { visit("stiffness", self.stiffness); visit("between", self.between); visit("rest_length", self.rest_length); }
};

/// Of "point_masses".
struct PointMass {
  /// which nodes; default "all"
  WhereModel where = {};
  /// m: added to each of these nodes [kg]; mass > 0 kg
  double mass = unset;
  static void fields(auto& self, auto&& visit) { visit("where", self.where); visit("mass", self.mass); }
};

enum class ReducedBasis { modes, pod };
constexpr std::array<const char*, 2> names_of(ReducedBasis) { return {"modes", "pod"}; }

/// Of "reduced".
struct Reduced {
  /// vibration modes that the basis holds as they are; modes ≥ 1
  int modes = 20;
  /// r: coordinates in all; the others are derivatives of the modes, for large motion; 1 ≤ size ≤ 500
  int size = 74;
  /// from vibration modes, or principal directions of a recorded run
  ReducedBasis basis = ReducedBasis::modes;
  /// folder of the run a pod basis is made from, relative to the scene; may be absent
  std::optional<std::string> run = {};
  /// whether the shapes of damping examples count among them, so that they are exact
  bool examples = true;
  /// keep the polynomials of the energy for the next time ($XDG_CACHE_HOME/dashpot)
  bool cache = true;
  static void fields(auto& self, auto&& visit) { visit("modes", self.modes); visit("size", self.size); visit("basis", self.basis); visit("run", self.run); visit("examples", self.examples); visit("cache", self.cache); }
};

/// Of "bodies".
struct Body {
  /// appears in columns and messages; may be absent
  std::optional<std::string> name = {};
  /// nodes and elements
  MeshModel mesh = {};
  /// order of the tets
  BodyElements elements = BodyElements::as_mesh;
  /// where the mesh stands in the world
  Place place = {};
  /// what the tets, triangles or edges are made of; may be absent
  MaterialModel material = {};
  /// all that act, summed
  std::vector<DampingModel> damping = {};
  /// held nodes
  std::vector<Pin> pins = {};
  /// springs between nodes
  std::vector<Spring> springs = {};
  /// masses at nodes
  std::vector<PointMass> point_masses = {};
  /// forces besides gravity
  std::vector<LoadModel> loads = {};
  /// positions and velocities at time zero; default {"from": "rest"}
  StartModel start = {};
  /// simulate the body in a subspace, in real time; it must be held by pins; may be absent
  std::optional<Reduced> reduced = {};
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("mesh", self.mesh); visit("elements", self.elements); visit("place", self.place); visit("material", self.material); visit("damping", self.damping); visit("pins", self.pins); visit("springs", self.springs); visit("point_masses", self.point_masses); visit("loads", self.loads); visit("start", self.start); visit("reduced", self.reduced); }
};

enum class AttachmentFollow { point, node };
constexpr std::array<const char*, 2> names_of(AttachmentFollow) { return {"point", "node"}; }

enum class AttachmentGap { keep, close };
constexpr std::array<const char*, 2> names_of(AttachmentGap) { return {"keep", "close"}; }

/// Of "attachments".
struct Attachment {
  /// whose nodes follow
  std::string body = {};
  /// which of its nodes
  WhereModel where = {};
  /// the body they follow
  std::string to = {};
  /// farther away from it is an error [m]; within > 0 m
  double within = unset;
  /// the nearest point of its elements, or the nearest node
  AttachmentFollow follow = AttachmentFollow::point;
  /// the distance the meshes have at rest: kept, or closed
  AttachmentGap gap = AttachmentGap::keep;
  static void fields(auto& self, auto&& visit) { visit("body", self.body); visit("where", self.where); visit("to", self.to); visit("within", self.within); visit("follow", self.follow); visit("gap", self.gap); }
};

/// Of "contacts".
struct Contact {
  /// names of two bodies, or of one cloth twice (it touches itself); left out: every pair of bodies; may be absent
  std::optional<std::array<std::string, 2>> between = {};
  /// μ: Coulomb friction, force over normal force; friction ≥ 0
  double friction = 0;
  /// vε: below this speed friction fades smoothly: sticking points creep, always slower than this [m/s]; slip_speed > 0 m/s
  double slip_speed = 0.02;
  /// k: pressure per overlap; left out: from the softer body's modulus and size, and from weight [Pa/m]; stiffness > 0 Pa/m; may be absent
  std::optional<double> stiffness = {};
  /// w: over which the stiffness rises smoothly; left out: as thickness [m]; onset > 0 m; may be absent
  std::optional<double> onset = {};
  /// h: distance kept between them; left out: 4 % of the smaller body's volume over surface; cloth on cloth: where layers begin to press [m]; thickness ≥ 0 m; may be absent
  std::optional<double> thickness = {};
  static void fields(auto& self, auto&& visit) { visit("between", self.between); visit("friction", self.friction); visit("slip_speed", self.slip_speed); visit("stiffness", self.stiffness); visit("onset", self.onset); visit("thickness", self.thickness); }
};

/// Of "probes".
struct Probe {
  /// column name in probes.csv
  std::string name = {};
  /// whose nodes; may be left out when there is one body; may be absent
  std::optional<std::string> body = {};
  /// one node, or several whose mean is recorded
  WhereModel where = {};
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("body", self.body); visit("where", self.where); }
};

/// Of "record".
struct Record {
  /// time between recorded frames; 0: every step [s]; every ≥ 0 s
  double every = 0;
  /// time between checkpoints; 0: only at the end [s]; checkpoint ≥ 0 s
  double checkpoint = 0;
  /// points written at every step
  std::vector<Probe> probes = {};
  static void fields(auto& self, auto&& visit) { visit("every", self.every); visit("checkpoint", self.checkpoint); visit("probes", self.probes); }
};

/// Of "targets".
struct Target {
  /// name of an example of the body's example_based damping
  std::string example = {};
  /// a: amplitude of the release, in units of the example; from > 0
  double from = 1;
  /// b: amplitude that remains after one cycle, in units of the example; left ≥ 0; may be absent
  std::optional<double> left = {};
  /// or the share of the amplitude lost in one cycle; 0 ≤ lost_per_cycle ≤ 1; may be absent
  std::optional<double> lost_per_cycle = {};
  /// t: or the time after which it stays within "band" [s]; settle_within > 0 s; may be absent
  std::optional<double> settle_within = {};
  /// share of the release that counts as settled; 0 < band < 1
  double band = 0.05;
  /// or a CSV file of a measured decay: columns time [s] and amplitude, in units of the example; may be absent
  std::optional<std::string> envelope = {};
  /// amplitudes where an envelope's gain curve has its knots; may be absent
  std::optional<std::vector<double>> knots = {};
  static void fields(auto& self, auto&& visit) { visit("example", self.example); visit("from", self.from); visit("left", self.left); visit("lost_per_cycle", self.lost_per_cycle); visit("settle_within", self.settle_within); visit("band", self.band); visit("envelope", self.envelope); visit("knots", self.knots); }
};

/// Of "design".
struct Design {
  /// whose damping is designed; may be left out when only one has examples; may be absent
  std::optional<std::string> body = {};
  /// what the body shall do, let go in zero gravity from an example
  std::vector<Target> targets = {};
  /// of what is left, relative; 0 < tolerance < 1
  double tolerance = 0.01;
  /// for each target and sweep; max_simulations ≥ 2
  int max_simulations = 15;
  static void fields(auto& self, auto&& visit) { visit("body", self.body); visit("targets", self.targets); visit("tolerance", self.tolerance); visit("max_simulations", self.max_simulations); }
};

/// Of "points".
struct Point {
  /// f: total force along "direction" [N]
  double load = unset;
  /// u: of the probe, from the unloaded body [m]
  double displacement = unset;
  /// predicted and compared, but not fitted
  bool held_out = false;
  static void fields(auto& self, auto&& visit) { visit("load", self.load); visit("displacement", self.displacement); visit("held_out", self.held_out); }
};

/// Of "cases".
struct Case {
  /// appears in tables and plots; may be absent
  std::optional<std::string> name = {};
  /// nodes that share the load equally
  WhereModel where = {};
  /// of the load; its length does not matter
  Vec3 direction = Vec3(unset, unset, unset);
  /// nodes whose mean displacement was read; left out: those of the load; may be absent
  WhereModel probe = {};
  /// direction of the ruler; left out: that of the load; may be absent
  std::optional<Vec3> along = {};
  /// CSV file with the columns load [N] and displacement [m], and held_out (0 or 1) if need be; may be absent
  std::optional<std::string> table = {};
  /// or the table itself; may be absent
  std::optional<std::vector<Point>> points = {};
  static void fields(auto& self, auto&& visit) { visit("name", self.name); visit("where", self.where); visit("direction", self.direction); visit("probe", self.probe); visit("along", self.along); visit("table", self.table); visit("points", self.points); }
};

/// Of "fit".
struct Fit {
  /// which one; may be left out when there is one body; may be absent
  std::optional<std::string> body = {};
  /// static load tests, from which the curve of a spline material is found
  std::vector<Case> cases = {};
  /// the mesh is the body sagged under gravity and its loads: find its rest shape
  bool rest_shape = false;
  /// of the curve on each side of rest, put where the loads strain the body; 2 ≤ knots ≤ 12
  int knots = 3;
  /// or the stretches > 1 of the knots; may be absent
  std::optional<std::vector<double>> tension = {};
  /// or the stretches < 1 of the knots; may be absent
  std::optional<std::vector<double>> compression = {};
  /// of a reading, relative: a change of stiffness from knot to knot must explain more than this; 0 < noise < 1
  double noise = 0.005;
  /// of each displacement, relative; 0 < tolerance < 1
  double tolerance = 0.02;
  static void fields(auto& self, auto&& visit) { visit("body", self.body); visit("cases", self.cases); visit("rest_shape", self.rest_shape); visit("knots", self.knots); visit("tension", self.tension); visit("compression", self.compression); visit("noise", self.noise); visit("tolerance", self.tolerance); }
};

/// Of "inputs".
struct Input {
  /// absolute name of a file
  std::string path = {};
  /// of its bytes
  std::string hash = {};
  static void fields(auto& self, auto&& visit) { visit("path", self.path); visit("hash", self.hash); }
};

/// A scene: what moves, for how long, what is recorded.
struct Scene {
  /// version of this format; 1 ≤ dashpot ≤ 1
  int dashpot = 1;
  /// shown in reports
  std::string title = {};
  /// g: acts on every body [m/s2]
  Vec3 gravity = Vec3(0, 0, 0);
  /// time step, end of the run, integrator
  Time time = {};
  /// linear and nonlinear solvers
  Solver solver = {};
  /// what moves
  std::vector<Body> bodies = {};
  /// nodes of one body that follow another; no force, no stiffness: they move as one
  std::vector<Attachment> attachments = {};
  /// what bodies cannot enter
  std::vector<ColliderModel> colliders = {};
  /// bodies that touch each other
  std::vector<Contact> contacts = {};
  /// what is written
  Record record = {};
  /// targets of 'dashpot design', which finds the gains; a run takes no notice; may be absent
  std::optional<Design> design = {};
  /// measurements for 'dashpot fit', which finds elasticity and rest shape; a run takes no notice; may be absent
  std::optional<Fit> fit = {};
  /// written by the program into scenes it makes: a file of this name that has other bytes is refused; may be absent
  std::optional<std::vector<Input>> inputs = {};
  /// of everything random
  int seed = 0;
  static void fields(auto& self, auto&& visit) { visit("dashpot", self.dashpot); visit("title", self.title); visit("gravity", self.gravity); visit("time", self.time); visit("solver", self.solver); visit("bodies", self.bodies); visit("attachments", self.attachments); visit("colliders", self.colliders); visit("contacts", self.contacts); visit("record", self.record); visit("design", self.design); visit("fit", self.fit); visit("inputs", self.inputs); visit("seed", self.seed); }
};

}  // namespace dashpot::scene
