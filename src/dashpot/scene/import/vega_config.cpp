#include "dashpot/scene/import/vega_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/scene/import/vega_files.hpp"
#include "dashpot/scene/import/vega_keys.hpp"

namespace dashpot {
namespace {

class Importer {
 public:
  Importer(std::string_view text, const std::string& name, const std::string& folder)
      : keys_(text, name), folder_(folder) {}

  ImportedScene run() {
    ImportedScene result;
    refuse_other_physics();
    JsonValue& scene = result.scene = JsonValue::object();
    scene.add("dashpot", JsonValue::of(1.0));
    scene.add("title",
              JsonValue::of(fmt::format("imported from {}", std::filesystem::path(keys_.name()).filename().string())));
    const bool gravity = keys_.number("addGravity", 0) != 0;
    const double g = keys_.number("g", 9.81);
    if (gravity) scene.add("gravity", vector({0, -g, 0}));
    scene.add("time", time());
    scene.add("solver", solver());
    JsonValue bodies = JsonValue::array();
    bodies.push(body());
    scene.add("bodies", std::move(bodies));
    JsonValue record = JsonValue::object();
    record.add("every", JsonValue::of(keys_.number("timestep", 0.01)));
    scene.add("record", std::move(record));
    keys_.warn_of_unused();
    if (!keys_.errors().empty()) throw Error(keys_.errors());
    result.warnings = keys_.warnings();
    return result;
  }

 private:
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
    if (const double laplacian = keys_.number("dampingLaplacianCoef", 0); laplacian != 0)
      keys_.error(keys_.line_of("dampingLaplacianCoef"), fmt::format("dampingLaplacianCoef = {}", laplacian), "0",
                  "its force depends on the mesh (a graph Laplacian of velocities) and has no counterpart here; "
                  "set it to 0 and raise dampingStiffnessCoef");
    for (const char* key : {"customMassSpringSystem", "massSpringSystemObjConfigFilename",
                            "massSpringSystemTetMeshConfigFilename", "massSpringSystemCubicMeshConfigFilename"})
      if (const auto entry = keys_.take(key))
        keys_.error(entry->line, fmt::format("*{}", key), "a volumetric mesh",
                    "describe springs in a scene's \"springs\"");
    for (const char* key : {"initialPositionFilename", "initialVelocityFilename"})
      if (const auto entry = keys_.take(key))
        keys_.error(entry->line, fmt::format("*{}", key), "a start at rest",
                    "convert the matrix to lines of x y z and use \"start\": {\"from\": \"pose\"}");
  }

  JsonValue time() {
    if (!keys_.has("timestep")) keys_.error(0, "no *timestep", "the time step in seconds");
    const double step = keys_.number("timestep", 0.01),
                 substeps = std::max(1.0, keys_.number("substepsPerTimeStep", 1));
    JsonValue time = JsonValue::object();
    time.add("dt", JsonValue::of(step / substeps));
    time.add("end", JsonValue::of(5.0));
    keys_.warn(0, "the format has no end time", "\"end\" was set to 5 s");
    time.add("stepper", stepper());
    return time;
  }

  JsonValue stepper() {
    std::optional<VegaKeys::Entry> wanted = keys_.take("solver");
    const std::optional<VegaKeys::Entry> old = keys_.take("implicitSolverMethod");
    if (!wanted) wanted = old;
    const std::string name = wanted ? wanted->value : "implicitNewmark";
    const double beta = keys_.number("newmarkBeta", 0.25), gamma = keys_.number("newmarkGamma", 0.5);
    keys_.take("centralDifferencesTangentialDampingUpdateMode");
    explicit_ = name == "symplecticEuler" || name == "centralDifferences";
    if (name == "implicitBackwardEuler") return JsonValue::of("backward_euler");
    if (name == "symplecticEuler") return JsonValue::of("symplectic_euler");
    if (name == "centralDifferences") return JsonValue::of("leapfrog");
    if (name != "implicitNewmark")
      keys_.error(wanted->line, fmt::format("solver \"{}\"", name),
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
    const int iterations = static_cast<int>(std::clamp(keys_.number("maxIterations", 1), 1.0, 1000.0));
    const double epsilon = keys_.number("epsilon", 1e-6);
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
    const std::optional<VegaKeys::Entry> file = keys_.take("volumetricMeshFilename");
    const std::string model = material_model();
    const double scaling = keys_.number("frequencyScaling", keys_.number("baseFrequency", 1));
    VegaProperties properties;
    if (!file) {
      keys_.error(0, "no *volumetricMeshFilename", "the name of a .veg file");
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

  int read_mesh_file(const VegaKeys::Entry& file, VegaProperties& properties) {
    try {
      return read_veg_file(in_folder(file.value), &properties).num_nodes();
    } catch (const Error& error) {
      keys_.errors_of(error);
      return 0;
    }
  }

  std::string material_model() {
    const std::optional<VegaKeys::Entry> method = keys_.take("deformableObjectMethod"),
                                         invertible = keys_.take("invertibleMaterial");
    const std::string name = method ? method->value : "StVK";
    const double warp = keys_.number("corotationalLinearFEM_warp", 1);
    keys_.take("inversionThreshold");
    keys_.take("principalStretchThreshold");
    if (keys_.number("enableCompressionResistance", 0) != 0)
      keys_.warn(keys_.line_of("enableCompressionResistance"), "enableCompressionResistance",
                 "ignored: the plain material is used");
    keys_.take("compressionResistance");
    if (name == "StVK") return "stvk";
    if (name == "CLFEM") return warp == 0 ? "linear" : "corotational";
    if (name == "LinearFEM") return "linear";
    if (name == "InvertibleFEM") {
      const std::string law = invertible ? invertible->value : "none";
      if (law == "StVK") return "stvk";
      if (law == "neoHookean") {
        keys_.warn(invertible->line, "invertible neo-Hookean",
                   "taken as stable_neo_hookean, which also survives inversion");
        return "stable_neo_hookean";
      }
      keys_.error(invertible ? invertible->line : method->line, fmt::format("invertibleMaterial \"{}\"", law),
                  "StVK or neoHookean");
      return "stvk";
    }
    keys_.error(method->line, fmt::format("deformableObjectMethod \"{}\"", name),
                "StVK, CLFEM, LinearFEM or InvertibleFEM");
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
        keys_.error(0, fmt::format("material \"{}\" of kind {}", found->name, found->model), "ENU (density, E, nu)");
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
    if (explicit_) keys_.warn(0, "an explicit integrator", "the mass matrix was set to lumped");
    if (!regions.members.empty()) material.add("regions", std::move(regions));
    return material;
  }

  JsonValue damping() {
    const double mass = keys_.number("dampingMassCoef", 0), stiffness = keys_.number("dampingStiffnessCoef", 0);
    JsonValue list = JsonValue::array();
    if (mass == 0 && stiffness == 0) return list;
    JsonValue rayleigh = JsonValue::object();
    rayleigh.add("model", JsonValue::of("rayleigh"));
    rayleigh.add("alpha", JsonValue::of(mass));
    rayleigh.add("beta", JsonValue::of(stiffness));
    rayleigh.add("stiffness", JsonValue::of("projected_tangent"));
    list.push(std::move(rayleigh));
    return list;
  }

  JsonValue fixed_vertices() {
    JsonValue pins = JsonValue::array();
    const std::optional<VegaKeys::Entry> file = keys_.take("fixedVerticesFilename");
    if (!file || num_nodes_ == 0) return pins;
    JsonValue indices = JsonValue::array();
    try {
      for (const int vertex : read_vega_fixed_vertices(in_folder(file->value), num_nodes_))
        indices.push(JsonValue::of(static_cast<double>(vertex)));
    } catch (const Error& error) {
      keys_.errors_of(error);
    }
    if (indices.items.empty()) return pins;
    JsonValue where = JsonValue::object(), pin = JsonValue::object();
    where.add("vertices", std::move(indices));
    pin.add("where", std::move(where));
    pins.push(std::move(pin));
    return pins;
  }

  JsonValue force_loads() {
    JsonValue loads = JsonValue::array();
    const std::optional<VegaKeys::Entry> file = keys_.take("forceLoadsFilename");
    if (!file || num_nodes_ == 0) return loads;
    const double step = keys_.number("timestep", 0.01);
    try {
      for (const VegaLoad& load : read_vega_force_loads(in_folder(file->value), num_nodes_))
        loads.push(node_load(load, step));
    } catch (const Error& error) {
      keys_.errors_of(error);
    }
    return loads;
  }

  static JsonValue node_load(const VegaLoad& given, double step) {
    JsonValue indices = JsonValue::array(), where = JsonValue::object(), load = JsonValue::object();
    indices.push(JsonValue::of(static_cast<double>(given.node)));
    where.add("vertices", std::move(indices));
    load.add("model", JsonValue::of("force"));
    load.add("where", std::move(where));
    load.add("force", vector({given.force.x(), given.force.y(), given.force.z()}));
    load.add("from", JsonValue::of(given.first * step));
    load.add("until", JsonValue::of(given.end * step));
    return load;
  }

  VegaKeys keys_;
  const std::string folder_;
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
