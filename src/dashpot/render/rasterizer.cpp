#include "dashpot/render/rasterizer.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/render/backdrop.hpp"
#include "dashpot/render/lighting.hpp"
#include "dashpot/render/raster_setup.hpp"

namespace dashpot::render {
namespace {

constexpr int tile = 32;  ///< pixels

/// Bends bright light softly into what a screen can show; dark and middle tones stay as they are.
Color tone(const Color& c) {
  constexpr float knee = 0.72F;
  return c.unaryExpr(
      [](float x) { return x <= knee ? x : knee + (1 - knee) * (1 - std::exp(-(x - knee) / (1 - knee))); });
}

/// Samples of one pixel that belong to one smooth patch.
struct Patch {
  int mesh = -1, count = 0;
  Vec3f position = Vec3f::Zero(), smooth = Vec3f::Zero(), normal = Vec3f::Zero(), first_normal = Vec3f::Zero();
  Color albedo = Color::Zero();
  float distance = 0, line = 0;  ///< from the eye [m]; covered by lines
};

class Painter {
 public:
  Painter(const Stage& stage, const Camera& camera, const DrawSettings& settings)
      : stage_(stage),
        camera_(camera),
        settings_(settings),
        origin_(camera.eye + camera.focus * camera.forward),
        eye_((camera.eye - origin_).cast<float>()),
        samples_(settings.samples),
        lighting_(stage, camera, origin_, settings),
        backdrop_(stage, camera, origin_, settings, lighting_),
        triangles_(project_triangles(stage, camera, origin_, settings.width * samples_, settings.height * samples_)) {
    fill_bins();
  }

  Image paint() {
    Image image(settings_.width, settings_.height);
    parallel_for(static_cast<int>(bins_.size()), 1, [&](int begin, int end) {
      SampleBlock block;
      for (int t = begin; t < end; ++t) {
        cover_tile(t, block);
        resolve_tile(block, image);
      }
    });
    return image;
  }

  std::vector<int> indices() {
    const int w = settings_.width * samples_;
    std::vector<int> result(static_cast<std::size_t>(w) * static_cast<std::size_t>(settings_.height * samples_), -1);
    SampleBlock block;
    for (int t = 0; t < static_cast<int>(bins_.size()); ++t) {
      cover_tile(t, block);
      for (int y = 0; y < block.height; ++y)
        for (int x = 0; x < block.width; ++x) {
          const int id = block.triangle[static_cast<std::size_t>(y * block.width + x)];
          if (id >= 0)
            result[static_cast<std::size_t>(block.y0 + y) * static_cast<std::size_t>(w) +
                   static_cast<std::size_t>(block.x0 + x)] = triangles_[static_cast<std::size_t>(id)].index;
        }
    }
    return result;
  }

 private:
  int tiles_across() const { return (settings_.width + tile - 1) / tile; }

  void fill_bins() {
    const int across = tiles_across(), down = (settings_.height + tile - 1) / tile, edge = tile * samples_;
    bins_.resize(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const ScreenTriangle& t = triangles_[i];
      for (int y = t.y0 / edge; y <= (t.y1 - 1) / edge; ++y)
        for (int x = t.x0 / edge; x <= (t.x1 - 1) / edge; ++x)
          bins_[static_cast<std::size_t>(y * across + x)].push_back(static_cast<int>(i));
    }
  }

  void cover_tile(int t, SampleBlock& block) const {
    const int x = (t % tiles_across()) * tile, y = (t / tiles_across()) * tile;
    block.clear(x * samples_, y * samples_, std::min(tile, settings_.width - x) * samples_,
                std::min(tile, settings_.height - y) * samples_);
    for (const int id : bins_[static_cast<std::size_t>(t)]) block.cover(triangles_[static_cast<std::size_t>(id)], id);
  }

  void resolve_tile(const SampleBlock& block, Image& image) const {
    PixelScratch scratch;
    for (int y = 0; y < block.height; y += samples_)
      for (int x = 0; x < block.width; x += samples_) {
        const Rgb color = srgb(tone(pixel_light(block, x, y, scratch)));
        std::copy(color.begin(), color.end(), image.pixel((block.x0 + x) / samples_, (block.y0 + y) / samples_));
      }
  }

  /// Samples of one pixel that see one triangle.
  struct Run {
    int triangle = -1, count = 0;
    int x = 0, y = 0;  ///< sums of sample coordinates
    float line = 0;
  };
  struct PixelScratch {
    std::vector<Run> runs;
    std::vector<Patch> patches;
  };

  Color pixel_light(const SampleBlock& block, int x, int y, PixelScratch& scratch) const {
    scratch.runs.clear();
    scratch.patches.clear();
    int open = 0;
    for (int j = 0; j < samples_; ++j)
      for (int i = 0; i < samples_; ++i) {
        const int id = block.triangle[static_cast<std::size_t>((y + j) * block.width + x + i)];
        if (id < 0)
          ++open;
        else
          add_sample(id, block.x0 + x + i, block.y0 + y + j, scratch.runs);
      }
    for (const Run& run : scratch.runs) add_run(run, scratch.patches);
    Color sum = Color::Zero();
    for (const Patch& patch : scratch.patches) sum += patch_light(patch) * static_cast<float>(patch.count);
    if (open > 0) {
      const float px = static_cast<float>(block.x0 + x) / static_cast<float>(samples_) + 0.5F;
      const float py = static_cast<float>(block.y0 + y) / static_cast<float>(samples_) + 0.5F;
      sum += backdrop_.light(px, py) * static_cast<float>(open);
    }
    return sum / static_cast<float>(samples_ * samples_);
  }

  void add_sample(int id, int x, int y, std::vector<Run>& runs) const {
    auto run = std::find_if(runs.begin(), runs.end(), [&](const Run& r) { return r.triangle == id; });
    if (run == runs.end()) run = runs.insert(run, Run{id});
    ++run->count;
    run->x += x;
    run->y += y;
    const ScreenTriangle& t = triangles_[static_cast<std::size_t>(id)];
    if (stage_.meshes[static_cast<std::size_t>(t.mesh)].shows_edges) run->line += edge_line(t, x, y);
  }

  /// Adds the surface seen by a run to the patch it continues, or opens a new one.
  void add_run(const Run& run, std::vector<Patch>& patches) const {
    const ScreenTriangle& t = triangles_[static_cast<std::size_t>(run.triangle)];
    const auto count = static_cast<float>(run.count);
    const std::array<float, 3> w =
        corner_weights(t, static_cast<float>(run.x) / count, static_cast<float>(run.y) / count);
    const Vec3f position = w[0] * t.corners[0].position + w[1] * t.corners[1].position + w[2] * t.corners[2].position;
    Vec3f normal = w[0] * t.corners[0].normal + w[1] * t.corners[1].normal + w[2] * t.corners[2].normal;
    // Shadows are asked for at a point of the smooth surface, not of its facet, which would shade itself where light
    // grazes it: the mean of the point's projections onto the corners' tangent planes [Hanika2021].
    const Vec3f to_eye = eye_ - position;
    const float side = t.face_normal.dot(to_eye) < 0 ? -1.0F : 1.0F;
    Vec3f smooth = position;
    for (std::size_t k = 0; k < 3; ++k) {
      const float above = side * (position - t.corners[k].position).dot(t.corners[k].normal);
      smooth -= w[k] * std::min(0.0F, above) * side * t.corners[k].normal;
    }
    normal *= side;
    normal.normalize();
    const Color albedo = w[0] * t.corners[0].albedo + w[1] * t.corners[1].albedo + w[2] * t.corners[2].albedo;
    const float distance = to_eye.norm();
    auto home = std::find_if(patches.begin(), patches.end(), [&](const Patch& patch) {
      return patch.mesh == t.mesh && patch.first_normal.dot(normal) > 0.93F &&
             std::abs(patch.distance - distance) < 0.01F * distance;
    });
    if (home == patches.end()) {
      home = patches.insert(home, Patch{});
      home->mesh = t.mesh;
      home->first_normal = normal;
      home->distance = distance;
    }
    home->count += run.count;
    home->position += position * count;
    home->smooth += smooth * count;
    home->normal += normal * count;
    home->albedo += albedo * count;
    home->line += run.line;
  }

  /// How much of a line along the triangle's edges covers this sample.
  float edge_line(const ScreenTriangle& t, int x, int y) const {
    float nearest = 1e9F;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<float>(t.a[k]), b = static_cast<float>(t.b[k]);
      const auto e = static_cast<float>(t.a[k] * (256 * static_cast<std::int64_t>(x) + 128) +
                                        t.b[k] * (256 * static_cast<std::int64_t>(y) + 128) + t.c[k]);
      nearest = std::min(nearest, e / std::sqrt(a * a + b * b) / 256);
    }
    return std::clamp(0.7F - nearest / static_cast<float>(samples_), 0.0F, 0.5F);
  }

  Color patch_light(const Patch& patch) const {
    const float share = 1 / static_cast<float>(patch.count);
    LitPoint point;
    const Vec3f position = patch.position * share;
    point.position = patch.smooth * share;
    point.normal = patch.normal.normalized();
    point.to_eye = (eye_ - position).normalized();
    // Interpolated normals may lean away from the eye near silhouettes: bend them back to the horizon.
    const float facing = point.normal.dot(point.to_eye);
    if (facing < 0) point.normal = (point.normal - point.to_eye * facing).normalized();
    const DrawnMesh& mesh = stage_.meshes[static_cast<std::size_t>(patch.mesh)];
    point.albedo = patch.albedo * share;
    if (mesh.paint) point.albedo = painted(mesh, position, point);
    point.albedo *= 1 - patch.line * share;
    point.gloss = mesh.gloss;
    return lighting_.shade(point);
  }

  /// The mesh's paint at a point; at four points of the pixel where it is not what the vertices around it say, that is,
  /// near an edge of the paint.
  Color painted(const DrawnMesh& mesh, const Vec3f& position, const LitPoint& point) const {
    const auto at = [&](const Vec3f& p) { return linear(mesh.paint(p.cast<double>() + origin_)); };
    const Color middle = at(position);
    const float facing = point.normal.dot(point.to_eye);
    if ((middle - point.albedo).abs().maxCoeff() < 0.01F || facing < 0.1F) return middle;
    const float pixel = (eye_ - position).norm() * 2 * static_cast<float>(camera_.tan_half_height) /
                        static_cast<float>(settings_.height);
    const Vec3f right = camera_.right.cast<float>() * pixel, up = camera_.up.cast<float>() * pixel;
    Color sum = Color::Zero();
    for (const auto& [a, b] : {std::pair{-0.375F, -0.125F}, {0.125F, -0.375F}, {0.375F, 0.125F}, {-0.125F, 0.375F}}) {
      const Vec3f aside = a * right + b * up;
      sum += at(position + aside - point.to_eye * (aside.dot(point.normal) / facing));  // stays on the surface
    }
    return sum / 4;
  }

  const Stage& stage_;
  const Camera& camera_;
  const DrawSettings& settings_;
  Vec3 origin_;
  Vec3f eye_;
  int samples_;
  Lighting lighting_;
  Backdrop backdrop_;
  std::vector<ScreenTriangle> triangles_;
  std::vector<std::vector<int>> bins_;
};

void check(const DrawSettings& s) {
  std::vector<Problem> problems;
  if (s.width < 1 || s.height < 1 || s.width > 16384 || s.height > 16384)
    problems.push_back({"picture", fmt::format("size {} x {}", s.width, s.height), "1 to 16384 pixels each way", ""});
  if (s.samples < 1 || s.samples > 8)
    problems.push_back({"picture", fmt::format("{} samples", s.samples), "1 to 8 each way", ""});
  if (s.sun_map < 1 || s.sky_map < 1 || s.sun_map > 4096 || s.sky_map > 4096)
    problems.push_back({"picture", "size of the shadow maps", "1 to 4096 texels", ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

DrawSettings DrawSettings::draft(int width, int height) {
  DrawSettings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = 3;
  settings.sun_directions = 12;
  settings.sky_directions = 36;
  settings.sun_map = 512;
  settings.sky_map = 192;
  return settings;
}

Image draw(const Stage& stage, const Camera& camera, const DrawSettings& settings) {
  check(settings);
  return Painter(stage, camera, settings).paint();
}

std::vector<int> draw_indices(const Stage& stage, const Camera& camera, const DrawSettings& settings) {
  check(settings);
  return Painter(stage, camera, settings).indices();
}

}  // namespace dashpot::render
