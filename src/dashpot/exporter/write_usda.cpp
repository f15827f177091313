// USD as text [OpenUSD]: one Xform per actor with a Mesh, BasisCurves (edges) and Points below it. Time code = time x
// fps.
#include <fmt/format.h>

#include <iterator>

#include "dashpot/exporter/skin.hpp"
#include "dashpot/exporter/writers.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::exporter {
namespace {

/// A string literal of USD.
std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < ' ')
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

void append_vectors(std::string& out, const std::vector<Vec3>& values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Eigen::Vector3f x = values[i].cast<float>();
    fmt::format_to(std::back_inserter(out), "{}({}, {}, {})", i > 0 ? ", " : "", x[0], x[1], x[2]);
  }
  out += ']';
}

/// One drawable part of an actor: which nodes its points are, and its type.
struct Part {
  std::string type, name;
  std::vector<int> nodes;  ///< of the actor's mesh, in the order of the prim's points
  std::string topology;    ///< attributes that do not change
  double width = 0;        ///< of curves and points [m]; widens the extent
};

std::string integers(const std::vector<int>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

Part mesh_part(const Skin& skin) {
  std::vector<int> corners;
  for (const auto& triangle : skin.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
  const bool is_open = !boundary_edges(skin.triangles).empty();
  Part part{"Mesh", "surface", skin.nodes, "", 0};
  part.topology = fmt::format(
      "            uniform bool doubleSided = {}\n            int[] faceVertexCounts = {}\n"
      "            int[] faceVertexIndices = {}\n            uniform token orientation = \"rightHanded\"\n"
      "            uniform token subdivisionScheme = \"none\"\n",
      is_open ? 1 : 0, integers(std::vector<int>(skin.triangles.size(), 3)), integers(corners));
  return part;
}

Part curves_part(const Skin& skin, double width) {
  Part part{"BasisCurves", "edges", {}, "", width};
  for (const auto& edge : skin.edges)
    for (const int point : edge) part.nodes.push_back(skin.nodes[static_cast<std::size_t>(point)]);
  part.topology = fmt::format(
      "            uniform token type = \"linear\"\n            uniform token wrap = \"nonperiodic\"\n"
      "            int[] curveVertexCounts = {}\n            float[] widths = [{}] (\n"
      "                interpolation = \"constant\"\n            )\n",
      integers(std::vector<int>(skin.edges.size(), 2)), static_cast<float>(width));
  return part;
}

Part points_part(const Skin& skin, double width) {
  Part part{"Points", "points", {}, "", width};
  for (const int point : skin.points) part.nodes.push_back(skin.nodes[static_cast<std::size_t>(point)]);
  part.topology =
      fmt::format("            float[] widths = [{}] (\n                interpolation = \"constant\"\n            )\n",
                  static_cast<float>(width));
  return part;
}

std::vector<Part> parts_of(const Actor& actor) {
  Skin skin = skin_of(actor.mesh);
  const double width = std::max(0.01 * bounding_box(actor.mesh.nodes).diagonal(), 1e-6);
  std::vector<Part> parts;
  if (!skin.triangles.empty()) parts.push_back(mesh_part(skin));
  if (!skin.edges.empty()) parts.push_back(curves_part(skin, width));
  if (!skin.points.empty()) parts.push_back(points_part(skin, width));
  return parts;
}

class UsdaWriter {
 public:
  explicit UsdaWriter(const WriterContext& context)
      : animation_(context.animation),
        stamp_(context.options.stamp),
        names_(plain_names(context.animation.actors())),
        ticker_(context.hooks,
                3.0 * static_cast<double>(context.animation.times().size() * context.animation.actors().size())),
        file_(context.options.path) {}

  void write() {
    header();
    for (std::size_t a = 0; a < animation_.actors().size(); ++a) actor(a);
    materials();
    file_.append("}\n");
    file_.finish();
  }

 private:
  double time_code(std::size_t frame) const {
    const double code = animation_.times()[frame] * animation_.fps();
    return std::abs(code - std::round(code)) < 1e-6 ? std::round(code) : code;
  }

  void header() {
    file_.append(fmt::format(
        "#usda 1.0\n(\n    customLayerData = {{\n        string creator = {}\n        string sceneHash = {}\n"
        "        string title = {}\n    }}\n    defaultPrim = \"run\"\n    endTimeCode = {}\n    framesPerSecond = {}\n"
        "    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = \"{}\"\n)\n\n"
        "def Xform \"run\"\n{{\n",
        in_quotes(Stamp::program()), in_quotes(stamp_.scene_hash), in_quotes(animation_.title()),
        time_code(animation_.times().size() - 1), animation_.fps(), time_code(0), animation_.fps(),
        up_axis(animation_) == 2 ? "Z" : "Y"));
  }

  void actor(std::size_t a) {
    const Actor& actor = animation_.actors()[a];
    file_.append(fmt::format(
        "    def Xform \"{}\" (\n        customData = {{\n            string name = {}\n        }}\n    )\n    {{\n",
        names_[a], in_quotes(actor.name)));
    for (const Part& part : parts_of(actor)) {
      file_.append(
          fmt::format("        def {} \"{}\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n"
                      "        )\n        {{\n",
                      part.type, part.name));
      file_.append(part.topology);
      samples(actor, part, "point3f[] points", [](const Shape& shape) { return shape.points; });
      samples(actor, part, "vector3f[] velocities", [](const Shape& shape) { return shape.velocities; });
      extents(actor, part);
      const auto [r, g, b] = color_of(animation_.actors(), a);
      file_.append(
          fmt::format("            color3f[] primvars:displayColor = [({}, {}, {})] (\n"
                      "                interpolation = \"constant\"\n            )\n"
                      "            rel material:binding = </run/materials/{}>\n        }}\n",
                      r, g, b, names_[a]));
    }
    file_.append("    }\n");
  }

  template <class Pick>
  void samples(const Actor& actor, const Part& part, const char* declaration, const Pick& pick) {
    file_.append(fmt::format("            {}.timeSamples = {{\n", declaration));
    for (std::size_t f = 0; f < animation_.times().size(); ++f) {
      std::string line = fmt::format("                {}: ", time_code(f));
      append_vectors(line, of(part, pick(animation_.shape(actor, f))));
      file_.append(line + ",\n");
      ticker_.step();
    }
    file_.append("            }\n");
  }

  void extents(const Actor& actor, const Part& part) {
    file_.append("            float3[] extent.timeSamples = {\n");
    for (std::size_t f = 0; f < animation_.times().size(); ++f) {
      const BoundingBox box = bounding_box(of(part, animation_.shape(actor, f).points));
      const Vec3 margin = Vec3::Constant(part.width / 2);
      std::string line = fmt::format("                {}: ", time_code(f));
      append_vectors(line, {box.min - margin, box.max + margin});
      file_.append(line + ",\n");
      ticker_.step();
    }
    file_.append("            }\n");
  }

  void materials() {
    file_.append("    def Scope \"materials\"\n    {\n");
    for (std::size_t a = 0; a < animation_.actors().size(); ++a) {
      const auto [r, g, b] = color_of(animation_.actors(), a);
      file_.append(fmt::format(
          "        def Material \"{0}\"\n        {{\n"
          "            token outputs:surface.connect = </run/materials/{0}/shader.outputs:surface>\n"
          "            def Shader \"shader\"\n            {{\n"
          "                uniform token info:id = \"UsdPreviewSurface\"\n"
          "                color3f inputs:diffuseColor = ({1}, {2}, {3})\n"
          "                float inputs:roughness = 0.6\n                token outputs:surface\n            }}\n"
          "        }}\n",
          names_[a], r, g, b));
    }
    file_.append("    }\n");
  }

  static std::vector<Vec3> of(const Part& part, const std::vector<Vec3>& values) {
    std::vector<Vec3> picked;
    picked.reserve(part.nodes.size());
    for (const int node : part.nodes) picked.push_back(values[static_cast<std::size_t>(node)]);
    return picked;
  }

  const Animation& animation_;
  const Stamp& stamp_;
  std::vector<std::string> names_;
  Ticker ticker_;
  OutputFile file_;
};

}  // namespace

void write_usda(const WriterContext& context) {
  UsdaWriter(context).write();
  context.report.files = {context.options.path};
}

}  // namespace dashpot::exporter
