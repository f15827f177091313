// Binary glTF 2.0 [KhronosGLTF2]: a node per actor, its skin as mesh with POD morph targets, one animation that drives
// their weights (and the node, where rigid motion was taken out).
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dashpot/core/file.hpp"
#include "dashpot/exporter/glb_buffer.hpp"
#include "dashpot/exporter/skin.hpp"
#include "dashpot/exporter/writers.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::exporter {
namespace {

using nlohmann::ordered_json;

/// Base normals and their change with each weight: least squares over the frames, the weights being orthogonal.
struct Normals {
  std::vector<Vec3f> base;
  std::vector<std::vector<Vec3f>> targets;
};

/// Unit normals of a frame, seen from the morphed shape's own axes.
std::vector<Vec3> normals_of(const MorphTargets& morphs, const std::vector<Vec3>& points, const Skin& skin,
                             std::size_t frame) {
  std::vector<Vec3> normals = vertex_normals(points, skin.triangles);
  if (morphs.poses.empty()) return normals;
  const Eigen::Quaterniond back = Eigen::Quaterniond(morphs.poses[frame].rotation.cast<double>()).conjugate();
  for (Vec3& n : normals) n = back * n;
  return normals;
}

Normals fit_normals(const MorphTargets& morphs, const std::vector<std::vector<Vec3>>& frames, const Skin& skin) {
  std::vector<Vec3> mean(morphs.base.size(), Vec3::Zero());
  std::vector<std::vector<Vec3>> slopes(morphs.targets.size(), mean);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<Vec3> normals = normals_of(morphs, frames[f], skin, f);
    for (std::size_t p = 0; p < mean.size(); ++p) {
      mean[p] += normals[p] / static_cast<double>(frames.size());
      for (std::size_t k = 0; k < slopes.size(); ++k)
        slopes[k][p] +=
            static_cast<double>(morphs.weights(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(k))) *
            normals[p];
    }
  }
  Normals fitted;
  for (const Vec3& n : mean)  // the format wants unit length, also where triangles cancel
    fitted.base.emplace_back((n.norm() > 1e-6 ? Vec3(n.normalized()) : Vec3::UnitY()).cast<float>());
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const double scale = static_cast<double>(morphs.weights.col(static_cast<Eigen::Index>(k)).squaredNorm());
    fitted.targets.emplace_back();
    for (const Vec3& slope : slopes[k]) fitted.targets.back().emplace_back((slope / scale).cast<float>());
  }
  return fitted;
}

ordered_json error_json(const ActorMorphs& morphs) {
  return {{"body", morphs.actor},
          {"morph_targets", morphs.num_targets},
          {"rigid_motion", morphs.moves_rigidly},
          {"relative_error", morphs.error.relative},
          {"rms_error_m", morphs.error.rms},
          {"max_error_m", morphs.error.max}};
}

class GlbWriter {
 public:
  explicit GlbWriter(const WriterContext& context) : context_(context), animation_(context.animation) {}

  std::string bytes() {
    const std::vector<Actor>& actors = animation_.actors();
    Ticker ticker(context_.hooks, 2.0 * static_cast<double>(animation_.times().size() * actors.size()));
    is_animated_ = animation_.times().size() > 1;
    if (is_animated_) add_times();
    add_root();
    for (std::size_t a = 0; a < actors.size(); ++a) add_actor(a, ticker);
    return finished();
  }

 private:
  void add_times() {
    std::vector<float> times;
    for (const double time : animation_.times()) times.push_back(static_cast<float>(time - animation_.times()[0]));
    times_ = buffer_.scalars(times, true);
  }

  void add_root() {
    ordered_json root = {{"name", animation_.title().empty() ? "run" : animation_.title()}};
    // glTF's up axis is y: turn a run with z up by -90 degrees about x.
    if (up_axis(animation_) == 2) root["rotation"] = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    root["children"] = ordered_json::array();
    nodes_.push_back(root);
  }

  void add_actor(std::size_t a, Ticker& ticker) {
    const Actor& actor = animation_.actors()[a];
    const Skin skin = skin_of(actor.mesh);
    std::vector<std::vector<Vec3>> frames;
    for (std::size_t f = 0; f < animation_.times().size(); ++f) {
      frames.push_back(skin.of(animation_.shape(actor, f).points));
      ticker.step();
    }
    MorphRequest request = context_.options.morphs;
    request.body_size = bounding_box(actor.mesh.nodes).size().norm();
    const MorphTargets morphs = fit_morph_targets(frames, request, [&] { ticker.step(0); });
    ticker.step(static_cast<double>(frames.size()));
    context_.report.morphs.push_back(
        {actor.name, static_cast<int>(morphs.targets.size()), !morphs.poses.empty(), morphs.error});
    add_material(a, skin);
    add_mesh(actor, skin, morphs, frames);
    add_node(actor, morphs);
    if (is_animated_) add_channels(morphs);
  }

  void add_material(std::size_t a, const Skin& skin) {
    const auto [r, g, b] = color_of(animation_.actors(), a);
    materials_.push_back({{"name", animation_.actors()[a].name},
                          {"pbrMetallicRoughness",
                           {{"baseColorFactor", {r, g, b, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}},
                          {"doubleSided", !boundary_edges(skin.triangles).empty()}});
  }

  void add_mesh(const Actor& actor, const Skin& skin, const MorphTargets& morphs,
                const std::vector<std::vector<Vec3>>& frames) {
    ordered_json attributes = {{"POSITION", buffer_.vectors(morphs.base, GlbBuffer::Use::vertices)}};
    ordered_json targets = ordered_json::array();
    for (const auto& target : morphs.targets)
      targets.push_back({{"POSITION", buffer_.vectors(target, GlbBuffer::Use::vertices)}});
    if (!skin.triangles.empty()) {
      const Normals normals = fit_normals(morphs, frames, skin);
      attributes["NORMAL"] = buffer_.vectors(normals.base, GlbBuffer::Use::vertices);
      for (std::size_t k = 0; k < normals.targets.size(); ++k)
        targets[k]["NORMAL"] = buffer_.vectors(normals.targets[k], GlbBuffer::Use::vertices);
    }
    ordered_json primitives = ordered_json::array();
    const auto add_primitive = [&](const std::vector<std::uint32_t>& indices, int mode) {
      if (indices.empty()) return;
      ordered_json primitive = {{"attributes", attributes},
                                {"indices", buffer_.indices(indices)},
                                {"material", materials_.size() - 1},
                                {"mode", mode}};
      if (!targets.empty()) primitive["targets"] = targets;
      primitives.push_back(primitive);
    };
    const auto flat = [](const auto& elements) {
      std::vector<std::uint32_t> indices;
      for (const auto& element : elements)
        for (const int i : element) indices.push_back(static_cast<std::uint32_t>(i));
      return indices;
    };
    add_primitive(flat(skin.triangles), 4);
    add_primitive(flat(skin.edges), 1);
    add_primitive({skin.points.begin(), skin.points.end()}, 0);
    ordered_json mesh = {{"name", actor.name}, {"primitives", primitives}};
    if (!targets.empty()) {  // the shape of the first frame for viewers that do not play
      mesh["weights"] = ordered_json::array();
      for (Eigen::Index k = 0; k < morphs.weights.cols(); ++k) mesh["weights"].push_back(morphs.weights(0, k));
    }
    meshes_.push_back(mesh);
  }

  void add_node(const Actor& actor, const MorphTargets& morphs) {
    ordered_json node = {{"name", actor.name}, {"mesh", meshes_.size() - 1}};
    if (!morphs.poses.empty()) {
      const auto& [q, t] = morphs.poses[0];
      node["translation"] = {t[0], t[1], t[2]};
      node["rotation"] = {q[0], q[1], q[2], q[3]};
    }
    nodes_[0]["children"].push_back(nodes_.size());
    nodes_.push_back(node);
  }

  void add_channels(const MorphTargets& morphs) {
    const auto add = [&](const char* path, std::size_t output) {
      channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", nodes_.size() - 1}, {"path", path}}}});
      samplers_.push_back({{"input", times_}, {"interpolation", "LINEAR"}, {"output", output}});
    };
    if (morphs.weights.cols() > 0) {
      std::vector<float> weights;
      for (Eigen::Index f = 0; f < morphs.weights.rows(); ++f)
        for (Eigen::Index k = 0; k < morphs.weights.cols(); ++k) weights.push_back(morphs.weights(f, k));
      add("weights", buffer_.scalars(weights, false));
    }
    if (morphs.poses.empty()) return;
    std::vector<Vec3f> translations;
    std::vector<Eigen::Vector4f> rotations;
    for (const RigidPose& pose : morphs.poses) {
      translations.push_back(pose.translation);
      rotations.push_back(pose.rotation);
    }
    add("translation", buffer_.vectors(translations, GlbBuffer::Use::animation));
    add("rotation", buffer_.quaternions(rotations));
  }

  std::string finished() {
    ordered_json errors = ordered_json::array();
    for (const ActorMorphs& morphs : context_.report.morphs) errors.push_back(error_json(morphs));
    ordered_json json = {{"asset",
                          {{"version", "2.0"},
                           {"generator", Stamp::program()},
                           {"extras",
                            {{"title", animation_.title()},
                             {"scene_hash", context_.options.stamp.scene_hash},
                             {"start_time_s", animation_.times()[0]},
                             {"reconstruction", errors}}}}},
                         {"scene", 0},
                         {"scenes", {{{"nodes", {0}}}}},
                         {"nodes", nodes_},
                         {"meshes", meshes_},
                         {"materials", materials_}};
    if (!channels_.empty()) json["animations"] = {{{"name", "run"}, {"channels", channels_}, {"samplers", samplers_}}};
    return buffer_.glb(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  }

  const WriterContext& context_;
  const Animation& animation_;
  GlbBuffer buffer_;
  bool is_animated_ = false;
  std::size_t times_ = 0;
  ordered_json nodes_ = ordered_json::array(), meshes_ = ordered_json::array(), materials_ = ordered_json::array(),
               channels_ = ordered_json::array(), samplers_ = ordered_json::array();
};

}  // namespace

void write_glb(const WriterContext& context) {
  write_file_atomically(context.options.path, GlbWriter(context).bytes());
  context.report.files = {context.options.path};
}

}  // namespace dashpot::exporter
