#include "dashpot/render/run_painter.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/painted_skin.hpp"
#include "dashpot/render/ticks.hpp"

namespace dashpot::render {

/// A body or collider of one run, ready to be drawn at any frame.
struct RunPainter::Actor {
  const Mesh* rest;
  int first_point;
  BodyStyle style;
  std::unique_ptr<BodySkin> skin;
  std::unique_ptr<Field> field;          ///< nullptr: not coloured
  std::unique_ptr<Embedding> embedding;  ///< of a carried surface
  Mesh surface;                          ///< carried

  std::vector<Vec3> nodes(const Frame& frame) const {
    const auto first = frame.points.begin() + first_point;
    return {first, first + rest->num_nodes()};
  }
  void add_to(Stage& stage, const Frame& frame, const std::optional<ColorScale>& scale) const {
    BodyStyle now = style;
    std::vector<double> values;
    if (field != nullptr && scale) values = field->node_values(frame, first_point);
    std::vector<Vec3> positions = nodes(frame);
    if (embedding != nullptr) {
      positions = embedding->carry(positions);
      if (!values.empty()) values = embedding->carry(values);
    }
    if (!values.empty()) now.node_colors = scale->colors(values);
    skin->add_to(stage, positions, now);
  }
};

namespace {

constexpr Rgb scenery_color{176, 179, 183};

/// Sum and count of finite points.
Vec3 center_of(const std::vector<Vec3>& points, std::size_t first, std::size_t count) {
  Vec3 sum = Vec3::Zero();
  double n = 0;
  for (std::size_t i = first; i < first + count; ++i)
    if (points[i].allFinite()) {
      sum += points[i];
      n += 1;
    }
  return n > 0 ? Vec3(sum / n) : sum;
}

Vec3 center_of_bodies(const Recording& recording, const Frame& frame) {
  Vec3 sum = Vec3::Zero();
  double n = 0;
  for (const RecordedBody& body : recording.bodies) {
    const auto count = static_cast<std::size_t>(body.mesh.num_nodes());
    sum += static_cast<double>(count) * center_of(frame.points, static_cast<std::size_t>(body.first_point), count);
    n += static_cast<double>(count);
  }
  return n > 0 ? Vec3(sum / n) : sum;
}

/// Every body's points of a frame, thinned out to a few hundred, extremes along the axes kept.
void collect(const Recording& recording, const Frame& frame, const Vec3& shift, std::vector<Vec3>& out) {
  for (const RecordedBody& body : recording.bodies) {
    const auto first = static_cast<std::size_t>(body.first_point), n = static_cast<std::size_t>(body.mesh.num_nodes());
    const std::size_t stride = std::max<std::size_t>(1, n / 150);
    std::array<std::size_t, 6> extreme{};
    extreme.fill(first);
    for (std::size_t i = first; i < first + n; ++i) {
      if (!frame.points[i].allFinite()) continue;
      for (int k = 0; k < 3; ++k) {
        auto& low = extreme[static_cast<std::size_t>(k)];
        auto& high = extreme[static_cast<std::size_t>(3 + k)];
        if (!(frame.points[i][k] >= frame.points[low][k])) low = i;
        if (!(frame.points[i][k] <= frame.points[high][k])) high = i;
      }
      if ((i - first) % stride == 0) out.push_back(frame.points[i] + shift);
    }
    for (const std::size_t i : extreme) out.push_back(frame.points[i] + shift);
  }
}

double diagonal(const std::vector<Vec3>& points) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : points) {
    if (!p.allFinite()) continue;
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return low.x() <= high.x() ? (high - low).norm() : 0;
}

double farthest(const std::vector<Vec3>& points, const Vec3& from) {
  double result = 0;
  for (const Vec3& p : points) result = std::max(result, p.allFinite() ? (p - from).norm() : 1e300);
  return result;
}

bool is_level(const dashpot::Ground& ground, const Vec3& up) { return ground.normal.dot(up) > 0.9999; }

/// A square piece of a plane near `center`, `half` metres each way.
DrawnMesh plane_piece(const dashpot::Ground& ground, const Vec3& center, double half) {
  const Vec3 n = ground.normal.normalized();
  const Vec3 middle = center - n * n.dot(center - ground.point);
  const Vec3 guess = std::abs(n.z()) < 0.9 ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::UnitX());
  const Vec3 x = guess.cross(n).normalized() * half, y = n.cross(x);
  DrawnMesh mesh;
  mesh.positions = {middle - x - y, middle + x - y, middle + x + y, middle - x + y};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.color = {205, 206, 205};
  mesh.gloss = 0;
  return mesh;
}

Vec3 up_of(const Recording& recording) {
  return recording.gravity.norm() > 1e-9 ? Vec3(-recording.gravity.normalized()) : Vec3(Vec3::UnitY());
}

std::string time_text(double time, double end) {
  const double step = std::max(end, 1e-12);
  const int digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(step))), 0, 9);
  return fmt::format("{:.{}f} s", time, digits);
}

}  // namespace

RunPainter::RunPainter(std::vector<ShownRun> runs, const RunPictureSettings& settings, double aspect)
    : runs_(std::move(runs)), follow_(settings.follow) {
  if (runs_.empty()) throw Error(Problem{"pictures", "no run", "at least one", ""});
  for (const ShownRun& run : runs_)
    if (run.recording->frames.empty())
      throw Error(Problem{run.name, "the run has no frames", "frames.dpf with at least one frame",
                          "Run it again without --no-frames."});
  actors_.resize(runs_.size());
  for (std::size_t run = 0; run < runs_.size(); ++run) add_actors(run, settings);
  if (settings.color != FieldKind::none) find_scale(settings.color);
  find_view(settings, aspect);
}

RunPainter::~RunPainter() = default;

void RunPainter::add_actors(std::size_t run, const RunPictureSettings& settings) {
  const Recording& recording = *runs_[run].recording;
  const auto surface_of = [&](const std::string& name) -> const CarriedSurface* {
    for (const CarriedSurface& surface : settings.surfaces)
      if (surface.body == name || (surface.body.empty() && recording.bodies.size() == 1)) return &surface;
    return nullptr;
  };
  for (const CarriedSurface& surface : settings.surfaces) {
    std::vector<std::string> names;
    for (const RecordedBody& body : recording.bodies) names.push_back(body.name);
    const bool named = std::find(names.begin(), names.end(), surface.body) != names.end();
    if (!named && !(surface.body.empty() && names.size() == 1))
      throw Error(Problem{"--body", fmt::format("no body '{}' in {}", surface.body, runs_[run].name),
                          fmt::format("one of {}", fmt::join(names, ", ")), ""});
  }
  const double elements_of_skin = std::max(5000.0, 40000.0 / static_cast<double>(recording.bodies.size()));
  for (std::size_t i = 0; i < recording.bodies.size(); ++i) {
    const RecordedBody& body = recording.bodies[i];
    auto actor = std::make_unique<Actor>();
    actor->rest = &body.mesh;
    actor->first_point = body.first_point;
    actor->style.color = body_color(static_cast<int>(i));
    actor->style.shows_edges = settings.shows_edges;
    if (settings.color != FieldKind::none) actor->field = std::make_unique<Field>(settings.color, body.mesh);
    if (const CarriedSurface* surface = surface_of(body.name)) {
      actor->surface = surface->surface;
      actor->embedding = std::make_unique<Embedding>(embed_points(body.mesh, surface->surface.nodes));
      carried_.push_back(
          {body.name, actor->embedding->size(), actor->embedding->num_outside, actor->embedding->largest_distance});
    }
    if (!actor->embedding && body.shape && body.mesh.tets() != nullptr) {
      if (std::optional<PaintedSkin> skin = painted_skin(*body.shape, elements_of_skin)) {
        actor->surface = std::move(skin->surface);
        actor->embedding = std::make_unique<Embedding>(embed_points(body.mesh, actor->surface.nodes));
        actor->style.node_colors = std::move(skin->colors);
        actor->style.crease = 60;
      }
    }
    actor->skin = std::make_unique<BodySkin>(actor->embedding ? actor->surface : body.mesh);
    actors_[run].push_back(std::move(actor));
  }
  for (const RecordedScenery& scenery : recording.scenery) {
    auto actor = std::make_unique<Actor>();
    actor->rest = &scenery.surface;
    actor->first_point = scenery.first_point;
    actor->style.color = scenery_color;
    actor->skin = std::make_unique<BodySkin>(scenery.surface);
    actors_[run].push_back(std::move(actor));
  }
}

void RunPainter::find_scale(FieldKind kind) {
  std::vector<double> values;
  int dimension = 0;
  for (std::size_t run = 0; run < runs_.size(); ++run)
    for (const auto& actor : actors_[run]) {
      if (actor->field == nullptr) continue;
      dimension = std::max(dimension, mesh_dimension(*actor->rest));
      for (const std::size_t f : sampled_frames(*runs_[run].recording, 40)) {
        const std::vector<double> here = actor->field->node_values(runs_[run].recording->frames[f], actor->first_point);
        const std::size_t stride = std::max<std::size_t>(1, here.size() / 2000);
        for (std::size_t i = 0; i < here.size(); i += stride) values.push_back(here[i]);
      }
    }
  scale_ = scale_for(std::move(values), to_string(kind), field_unit(kind, dimension));
}

void RunPainter::find_view(const RunPictureSettings& settings, double aspect) {
  const Recording& first = *runs_.front().recording;
  up_ = up_of(first);
  home_ = center_of_bodies(first, first.frames.front());
  std::vector<Vec3> start;
  collect(first, first.frames.front(), Vec3::Zero(), start);
  const double limit = 20 * std::max(diagonal(start), 1e-9);
  std::vector<Vec3> points;
  for (const ShownRun& run : runs_)
    for (const std::size_t f : sampled_frames(*run.recording, 200)) {
      const Frame& frame = run.recording->frames[f];
      std::vector<Vec3> here;
      collect(*run.recording, frame, follow_ ? Vec3(home_ - center_of_bodies(*run.recording, frame)) : Vec3::Zero(),
              here);
      if (f == 0 || farthest(here, home_) <= limit) points.insert(points.end(), here.begin(), here.end());
    }
  const double action = diagonal(points);
  for (std::size_t run = 0; run < runs_.size(); ++run)  // colliders that are not much larger than the action
    for (const RecordedScenery& scenery : runs_[run].recording->scenery)
      if (diagonal(scenery.surface.nodes) < 2.5 * action)
        points.insert(points.end(), scenery.surface.nodes.begin(), scenery.surface.nodes.end());
  size_ = std::max(diagonal(points), 1e-9);
  floor_ = std::numeric_limits<double>::infinity();
  for (const Vec3& p : points)
    if (p.allFinite()) floor_ = std::min(floor_, p.dot(up_));
  if (!std::isfinite(floor_)) floor_ = 0;
  floor_ -= 0.01 * size_;  // tubes and beads are thicker than their points
  Look look = settings.look;
  look.up = up_;
  camera_ = frame_points(points, look, aspect);
}

void RunPainter::add_grounds(std::size_t run, Stage& stage, const Vec3& center) const {
  const Recording& recording = *runs_[run].recording;
  for (const dashpot::Ground& ground : recording.grounds) {
    if (!stage.ground && is_level(ground, up_))
      stage.ground = DrawnGround{ground.point.dot(up_), grid_distance(size_)};
    else
      stage.meshes.push_back(plane_piece(ground, center, 0.75 * size_));
  }
  if (recording.grounds.empty()) stage.ground = DrawnGround{floor_, grid_distance(size_)};
}

Image RunPainter::draw(std::size_t run, double time, const DrawSettings& settings) const {
  const Recording& recording = *runs_.at(run).recording;
  const Frame frame = frame_at(recording, time);
  Stage stage;
  stage.up = up_;
  for (const auto& actor : actors_[run]) actor->add_to(stage, frame, scale_);
  const Vec3 shift = follow_ ? Vec3(center_of_bodies(recording, frame) - home_) : Vec3::Zero();
  add_grounds(run, stage, camera_.eye + camera_.focus * camera_.forward);
  if (scale_)
    for (DrawnMesh& mesh : stage.meshes) mesh.gloss *= 0.4F;  // highlights would be read as values
  return render::draw(stage, moved(camera_, shift), settings);
}

std::string RunPainter::grid_note() const {
  const ReadableUnit unit = readable_unit(grid_distance(size_), "m");
  return fmt::format("grid {} {}", plain_number(grid_distance(size_) / unit.factor, 3), unit.unit);
}

Image RunPainter::still(std::size_t run, double time, const DrawSettings& settings) const {
  Image image = draw(run, time, settings);
  const Recording& recording = *runs_[run].recording;
  annotate(image, runs_[run].name, time_text(time, recording.frames.back().time), grid_note(), scale_);
  return image;
}

Image RunPainter::sheet(std::size_t run, const std::vector<double>& times, int columns,
                        const DrawSettings& cell) const {
  std::vector<SheetCell> cells;
  const double end = runs_.at(run).recording->frames.back().time;
  for (const double time : times) cells.push_back({draw(run, time, cell), time_text(time, end)});
  return contact_sheet(cells, {runs_[run].name, grid_note(), {}, columns, scale_});
}

Image RunPainter::side_by_side(const std::vector<double>& times, const std::string& title,
                               const DrawSettings& cell) const {
  std::vector<SheetCell> cells;
  double end = 0;
  std::vector<std::string> names;
  for (const ShownRun& run : runs_) {
    end = std::max(end, run.recording->frames.back().time);
    names.push_back(run.name);
  }
  for (const double time : times)
    for (std::size_t run = 0; run < runs_.size(); ++run) cells.push_back({draw(run, time, cell), time_text(time, end)});
  return contact_sheet(cells, {title, grid_note(), names, static_cast<int>(runs_.size()), scale_});
}

}  // namespace dashpot::render
