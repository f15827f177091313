#include "dashpot/scene/vega_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {
namespace {

struct Entry {
  std::string value;
  int line = 0;
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

/// Keys about windows, cameras and drawing.
bool is_about_display(const std::string& key) {
  static const std::set<std::string> known = {"windowWidth",
                                              "windowHeight",
                                              "cameraRadius",
                                              "focusPositionX",
                                              "focusPositionY",
                                              "focusPositionZ",
                                              "cameraLongitude",
                                              "cameraLattitude",
                                              "renderWireframe",
                                              "renderSecondaryDeformableObject",
                                              "renderAxes",
                                              "extraSceneGeometry",
                                              "enableTextures",
                                              "backgroundColor",
                                              "lightingConfigFilename",
                                              "groundPlane",
                                              "singleStepMode",
                                              "pauseSimulation",
                                              "lockAt30Hz",
                                              "renderingMeshFilename",
                                              "secondaryRenderingMeshFilename",
                                              "secondaryRenderingMeshInterpolationFilename",
                                              "useRealTimeNormals",
                                              "syncTimestepWithGraphics",
                                              "deformableObjectCompliance",
                                              "forceNeighborhoodSize",
                                              "numInternalForceThreads",
                                              "numSolverThreads",
                                              "outputFilename"};
  return known.count(key) != 0;
}

class Importer {
 public:
  Importer(std::string_view text, const std::string& name, const std::string& folder) : name_(name), folder_(folder) {
    split(text);
  }

  ImportedScene run() {
    ImportedScene result;
    refuse_other_physics();
    JsonValue& scene = result.scene = JsonValue::object();
    scene.add("dashpot", JsonValue::of(1.0));
    scene.add("title",
              JsonValue::of(fmt::format("imported from {}", std::filesystem::path(name_).filename().string())));
    const bool gravity = number("addGravity", 0) != 0;
    const double g = number("g", 9.81);
    if (gravity) scene.add("gravity", vector({0, -g, 0}));
    scene.add("time", time());
    scene.add("solver", solver());
    JsonValue bodies = JsonValue::array();
    bodies.push(body());
    scene.add("bodies", std::move(bodies));
    JsonValue record = JsonValue::object();
    record.add("every", JsonValue::of(number("timestep", 0.01)));
    scene.add("record", std::move(record));
    warn_of_unused();
    if (!errors_.empty()) throw Error(std::move(errors_));
    result.warnings = std::move(warnings_);
    return result;
  }

 private:
  void split(std::string_view text) {
    std::string key;
    int line = 0, key_line = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string content = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line;
      if (content.empty() || content[0] == '#') continue;
      if (content[0] == '*') {
        if (!key.empty()) error(key_line, "*" + key + " without a value", "a value on the next line");
        key = content.substr(1);
        key_line = line;
      } else if (key.empty()) {
        error(line, fmt::format("\"{}\" without a key", content.substr(0, 40)), "*key on the line before");
        return;
      } else {
        entries_[key] = {content, line};
        key.clear();
      }
    }
    if (!key.empty()) error(key_line, "*" + key + " without a value", "a value on the next line");
    if (entries_.empty() && errors_.empty()) error(0, "no \"*key\" in the file", "a VegaFEM .config file");
  }

  void error(int line, std::string found, std::string expected, std::string remedy = {}) {
    if (errors_.size() < 50)
      errors_.push_back({line > 0 ? fmt::format("{}:{}", name_, line) : name_, std::move(found), std::move(expected),
                         std::move(remedy)});
  }
  void warn(int line, std::string found, std::string remedy) {
    warnings_.push_back({line > 0 ? fmt::format("{}:{}", name_, line) : name_, std::move(found), "", std::move(remedy),
                         Problem::Severity::warning});
  }

  /// The value of a key, which counts as used; "__none" means absent.
  std::optional<Entry> take(const std::string& key) {
    used_.insert(key);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.value == "__none" || found->second.value == "none")
      return std::nullopt;
    return found->second;
  }

  double number(const std::string& key, double otherwise) {
    const std::optional<Entry> entry = take(key);
    if (!entry) return otherwise;
    double value = 0;
    const char* end = entry->value.data() + entry->value.size();
    const auto parsed = std::from_chars(entry->value.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
      error(entry->line, fmt::format("*{} is \"{}\"", key, entry->value.substr(0, 40)), "a number");
      return otherwise;
    }
    return value;
  }

  static JsonValue vector(std::initializer_list<double> values) {
    JsonValue list = JsonValue::array();
    for (const double value : values) list.push(JsonValue::of(value));
    return list;
  }

  std::string in_folder(const std::string& file) const {
    const std::filesystem::path path(file);
    return path.is_absolute() || folder_.empty() ? file : (std::filesystem::path(folder_) / path).string();
  }

  void refuse_other_physics() {
    if (const double laplacian = number("dampingLaplacianCoef", 0); laplacian != 0)
      error(entries_["dampingLaplacianCoef"].line, fmt::format("dampingLaplacianCoef = {}", laplacian), "0",
            "its force depends on the mesh (a graph Laplacian of velocities) and has no counterpart here; "
            "set it to 0 and raise dampingStiffnessCoef");
    for (const char* key : {"customMassSpringSystem", "massSpringSystemObjConfigFilename",
                            "massSpringSystemTetMeshConfigFilename", "massSpringSystemCubicMeshConfigFilename"})
      if (const auto entry = take(key))
        error(entry->line, fmt::format("*{}", key), "a volumetric mesh", "describe springs in a scene's \"springs\"");
    for (const char* key : {"initialPositionFilename", "initialVelocityFilename"})
      if (const auto entry = take(key))
        error(entry->line, fmt::format("*{}", key), "a start at rest",
              "convert the matrix to lines of x y z and use \"start\": {\"from\": \"pose\"}");
  }

  JsonValue time() {
    if (entries_.count("timestep") == 0) error(0, "no *timestep", "the time step in seconds");
    const double step = number("timestep", 0.01), substeps = std::max(1.0, number("substepsPerTimeStep", 1));
    JsonValue time = JsonValue::object();
    time.add("dt", JsonValue::of(step / substeps));
    time.add("end", JsonValue::of(5.0));
    warn(0, "the format has no end time", "\"end\" was set to 5 s");
    time.add("stepper", stepper());
    return time;
  }

  JsonValue stepper() {
    std::optional<Entry> wanted = take("solver");
    const std::optional<Entry> old = take("implicitSolverMethod");
    if (!wanted) wanted = old;
    const std::string name = wanted ? wanted->value : "implicitNewmark";
    const double beta = number("newmarkBeta", 0.25), gamma = number("newmarkGamma", 0.5);
    take("centralDifferencesTangentialDampingUpdateMode");
    explicit_ = name == "symplecticEuler" || name == "centralDifferences";
    if (name == "implicitBackwardEuler") return JsonValue::of("backward_euler");
    if (name == "symplecticEuler") return JsonValue::of("symplectic_euler");
    if (name == "centralDifferences") return JsonValue::of("leapfrog");
    if (name != "implicitNewmark")
      error(wanted->line, fmt::format("solver \"{}\"", name),
            "implicitNewmark, implicitBackwardEuler, symplecticEuler or centralDifferences",
            name == "Euler" ? "explicit Euler creates energy; use symplecticEuler" : "");
    JsonValue parameters = JsonValue::object();
    parameters.add("beta", JsonValue::of(beta));
    parameters.add("gamma", JsonValue::of(gamma));
    JsonValue newmark = JsonValue::object();
    newmark.add("newmark", std::move(parameters));
    return newmark;
  }

  JsonValue solver() {
    const int iterations = static_cast<int>(std::clamp(number("maxIterations", 1), 1.0, 1000.0));
    const double epsilon = number("epsilon", 1e-6);
    JsonValue newton = JsonValue::object();
    if (iterations == 1) {
      newton.add("fixed_iterations", JsonValue::of(1.0));
    } else {
      newton.add("max_iterations", JsonValue::of(static_cast<double>(iterations)));
      newton.add("tolerance", JsonValue::of(std::clamp(epsilon, 1e-14, 0.5)));
    }
    JsonValue solver = JsonValue::object();
    solver.add("newton", std::move(newton));
    return solver;
  }

  JsonValue body() {
    JsonValue body = JsonValue::object();
    body.add("name", JsonValue::of("body"));
    const std::optional<Entry> file = take("volumetricMeshFilename");
    const std::string model = material_model();
    const double scaling = number("frequencyScaling", number("baseFrequency", 1));
    VegaProperties properties;
    if (!file) {
      error(0, "no *volumetricMeshFilename", "the name of a .veg file");
    } else {
      JsonValue mesh = JsonValue::object();
      mesh.add("file", JsonValue::of(file->value));
      body.add("mesh", std::move(mesh));
      num_nodes_ = read_mesh_file(*file, properties);
      body.add("material", material(model, properties, scaling * scaling));
    }
    body.add("damping", damping());
    if (JsonValue pins = fixed_vertices(); !pins.items.empty()) body.add("pins", std::move(pins));
    if (JsonValue loads = force_loads(); !loads.items.empty()) body.add("loads", std::move(loads));
    return body;
  }

  int read_mesh_file(const Entry& file, VegaProperties& properties) {
    try {
      return read_veg_file(in_folder(file.value), &properties).num_nodes();
    } catch (const Error& problem) {
      errors_.insert(errors_.end(), problem.problems().begin(), problem.problems().end());
      return 0;
    }
  }

  std::string material_model() {
    const std::optional<Entry> method = take("deformableObjectMethod"), invertible = take("invertibleMaterial");
    const std::string name = method ? method->value : "StVK";
    const double warp = number("corotationalLinearFEM_warp", 1);
    take("inversionThreshold");
    take("principalStretchThreshold");
    if (number("enableCompressionResistance", 0) != 0)
      warn(entries_["enableCompressionResistance"].line, "enableCompressionResistance",
           "ignored: the plain material is used");
    take("compressionResistance");
    if (name == "StVK") return "stvk";
    if (name == "CLFEM") return warp == 0 ? "linear" : "corotational";
    if (name == "LinearFEM") return "linear";
    if (name == "InvertibleFEM") {
      const std::string law = invertible ? invertible->value : "none";
      if (law == "StVK") return "stvk";
      if (law == "neoHookean") {
        warn(invertible->line, "invertible neo-Hookean", "taken as stable_neo_hookean, which also survives inversion");
        return "stable_neo_hookean";
      }
      error(invertible ? invertible->line : method->line, fmt::format("invertibleMaterial \"{}\"", law),
            "StVK or neoHookean");
      return "stvk";
    }
    error(method->line, fmt::format("deformableObjectMethod \"{}\"", name), "StVK, CLFEM, LinearFEM or InvertibleFEM");
    return "stvk";
  }

  JsonValue material(const std::string& model, const VegaProperties& properties, double stiffness_scale) {
    JsonValue material = JsonValue::object();
    material.add("model", JsonValue::of(model));
    JsonValue regions = JsonValue::object();
    bool first = true;
    for (const VegaRegion& region : properties.regions) {
      const auto found = std::find_if(properties.materials.begin(), properties.materials.end(),
                                      [&](const VegaMaterial& m) { return m.name == region.material; });
      if (found == properties.materials.end()) continue;
      if (found->model != "ENU") {
        error(0, fmt::format("material \"{}\" of kind {}", found->name, found->model), "ENU (density, E, nu)");
        continue;
      }
      JsonValue values = JsonValue::object();
      values.add("young", JsonValue::of(found->young * stiffness_scale));
      values.add("poisson", JsonValue::of(found->poisson));
      values.add("density", JsonValue::of(found->density));
      if (first)
        for (const JsonMember& member : values.members) material.add(member.key, member.value);
      else
        regions.add(region.set, std::move(values));
      first = false;
    }
    material.add("mass", JsonValue::of(explicit_ ? "lumped" : "consistent"));
    if (explicit_) warn(0, "an explicit integrator", "the mass matrix was set to lumped");
    if (!regions.members.empty()) material.add("regions", std::move(regions));
    return material;
  }

  JsonValue damping() {
    const double mass = number("dampingMassCoef", 0), stiffness = number("dampingStiffnessCoef", 0);
    JsonValue list = JsonValue::array();
    if (mass == 0 && stiffness == 0) return list;
    JsonValue rayleigh = JsonValue::object();
    rayleigh.add("model", JsonValue::of("rayleigh"));
    rayleigh.add("alpha", JsonValue::of(mass));
    rayleigh.add("beta", JsonValue::of(stiffness));
    rayleigh.add("stiffness", JsonValue::of("lagged"));
    list.push(std::move(rayleigh));
    return list;
  }

  JsonValue fixed_vertices() {
    JsonValue pins = JsonValue::array();
    const std::optional<Entry> file = take("fixedVerticesFilename");
    if (!file) return pins;
    std::string text;
    try {
      text = read_file(in_folder(file->value));
    } catch (const Error& problem) {
      errors_.insert(errors_.end(), problem.problems().begin(), problem.problems().end());
      return pins;
    }
    JsonValue indices = JsonValue::array();
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == ',' || c == '\n' || c == '\r' || c == '\t'; }, ' ');
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      int vertex = 0;
      const auto parsed = std::from_chars(text.data() + at, text.data() + end, vertex);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + end || vertex < 1 ||
          (num_nodes_ > 0 && vertex > num_nodes_)) {
        errors_.push_back({in_folder(file->value),
                           fmt::format("\"{}\"", text.substr(at, std::min<std::size_t>(end - at, 40))),
                           fmt::format("vertex numbers from 1 to {}", num_nodes_), ""});
        return pins;
      }
      indices.push(JsonValue::of(static_cast<double>(vertex - 1)));
      at = end;
    }
    if (indices.items.empty()) return pins;
    JsonValue where = JsonValue::object(), pin = JsonValue::object();
    where.add("vertices", std::move(indices));
    pin.add("where", std::move(where));
    pins.push(std::move(pin));
    return pins;
  }

  /// A binary matrix: int32 rows = 3 nodes, int32 columns, doubles column by column; column k acts in time step k.
  JsonValue force_loads() {
    JsonValue loads = JsonValue::array();
    const std::optional<Entry> file = take("forceLoadsFilename");
    if (!file) return loads;
    std::string bytes;
    try {
      bytes = read_file(in_folder(file->value));
    } catch (const Error& problem) {
      errors_.insert(errors_.end(), problem.problems().begin(), problem.problems().end());
      return loads;
    }
    std::int32_t size[2] = {0, 0};
    if (bytes.size() >= 8) std::memcpy(size, bytes.data(), 8);
    if (size[0] != 3 * num_nodes_ || size[1] < 1 ||
        bytes.size() != 8 + 8 * static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1])) {
      errors_.push_back({in_folder(file->value),
                         fmt::format("a matrix of {} x {} in {} bytes", size[0], size[1], bytes.size()),
                         fmt::format("{} rows, three for each node", 3 * num_nodes_), ""});
      return loads;
    }
    std::vector<double> values(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
    std::memcpy(values.data(), bytes.data() + 8, 8 * values.size());
    const auto force = [&](int node, int column, int axis) {
      return values[static_cast<std::size_t>(column) * static_cast<std::size_t>(size[0]) +
                    static_cast<std::size_t>(3 * node + axis)];
    };
    const double step = number("timestep", 0.01);
    for (int node = 0; node < num_nodes_; ++node)
      for (int begin = 0, end = 0; begin < size[1]; begin = end) {
        const auto same = [&](int column) {
          return force(node, column, 0) == force(node, begin, 0) && force(node, column, 1) == force(node, begin, 1) &&
                 force(node, column, 2) == force(node, begin, 2);
        };
        for (end = begin + 1; end < size[1] && same(end);) ++end;
        if (force(node, begin, 0) == 0 && force(node, begin, 1) == 0 && force(node, begin, 2) == 0) continue;
        if (loads.items.size() >= 5000) {
          errors_.push_back({in_folder(file->value), "more than 5000 different forces", "loads that a scene can list",
                             "describe them as patch or harmonic loads"});
          return loads;
        }
        loads.push(node_load(node, {force(node, begin, 0), force(node, begin, 1), force(node, begin, 2)}, begin * step,
                             end * step));
      }
    return loads;
  }

  static JsonValue node_load(int node, std::array<double, 3> force, double from, double until) {
    JsonValue indices = JsonValue::array(), where = JsonValue::object(), load = JsonValue::object();
    indices.push(JsonValue::of(static_cast<double>(node)));
    where.add("vertices", std::move(indices));
    load.add("model", JsonValue::of("force"));
    load.add("where", std::move(where));
    load.add("force", vector({force[0], force[1], force[2]}));
    load.add("from", JsonValue::of(from));
    load.add("until", JsonValue::of(until));
    return load;
  }

  void warn_of_unused() {
    std::string display;
    for (const auto& [key, entry] : entries_) {
      if (used_.count(key) != 0) continue;
      if (is_about_display(key))
        display += (display.empty() ? "" : ", ") + key;
      else
        warn(entry.line, fmt::format("*{}", key), "ignored: not a known key of the simulator");
    }
    if (!display.empty()) warn(0, "keys about display, interaction and threads: " + display, "ignored");
  }

  const std::string name_, folder_;
  std::map<std::string, Entry> entries_;
  std::set<std::string> used_;
  std::vector<Problem> errors_, warnings_;
  int num_nodes_ = 0;
  bool explicit_ = false;
};

}  // namespace

ImportedScene import_vega_config(std::string_view text, const std::string& name, const std::string& folder) {
  return Importer(text, name, folder).run();
}

ImportedScene import_vega_config(const std::string& path) {
  return import_vega_config(read_file(path), path, std::filesystem::path(path).parent_path().string());
}

}  // namespace dashpot
