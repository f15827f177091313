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
  std::unique_ptr<Field> field;          ///< nullptr: not colored
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

bool is_level(const dashpot::Ground& ground, const Vec3& up) { return ground.normal.dot(up) > 0.9999; }

/// A square piece of a plane near `center`, `half` meters each way.
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

std::string time_text(double time, double end) {
  const double step = std::max(end, 1e-12);
  const int digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(step))), 0, 9);
  return fmt::format("{:.{}f} s", time, digits);
}

}  // namespace

RunPainter::RunPainter(std::vector<ShownRun> runs, const RunPictureSettings& settings, double aspect)
    : runs_(std::move(runs)) {
  if (runs_.empty()) throw Error(Problem{"pictures", "no run", "at least one", ""});
  for (const ShownRun& run : runs_)
    if (run.recording->frames.empty())
      throw Error(Problem{run.name, "the run has no frames", "frames.dpf with at least one frame",
                          "Run it again without --no-frames."});
  actors_.resize(runs_.size());
  for (std::size_t run = 0; run < runs_.size(); ++run) add_actors(run, settings);
  if (settings.color != FieldKind::none) find_scale(settings.color);
  view_ = frame_runs(runs_, settings.look, settings.follow, aspect);
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

void RunPainter::add_grounds(std::size_t run, Stage& stage, const Vec3& center) const {
  const Recording& recording = *runs_[run].recording;
  for (const dashpot::Ground& ground : recording.grounds) {
    if (!stage.ground && is_level(ground, view_.up))
      stage.ground = DrawnGround{ground.point.dot(view_.up), grid_distance(view_.size)};
    else
      stage.meshes.push_back(plane_piece(ground, center, 0.75 * view_.size));
  }
  if (recording.grounds.empty()) stage.ground = DrawnGround{view_.floor, grid_distance(view_.size)};
}

Image RunPainter::draw(std::size_t run, double time, const DrawSettings& settings) const {
  const Recording& recording = *runs_.at(run).recording;
  const Frame frame = frame_at(recording, time);
  Stage stage;
  stage.up = view_.up;
  for (const auto& actor : actors_[run]) actor->add_to(stage, frame, scale_);
  const Camera camera = view_.camera_at(recording, frame);
  add_grounds(run, stage, camera.eye + camera.focus * camera.forward);
  if (scale_)
    for (DrawnMesh& mesh : stage.meshes) mesh.gloss *= 0.4F;  // highlights would be read as values
  return render::draw(stage, camera, settings);
}

std::string RunPainter::grid_note() const {
  const ReadableUnit unit = readable_unit(grid_distance(view_.size), "m");
  return fmt::format("grid {} {}", plain_number(grid_distance(view_.size) / unit.factor, 3), unit.unit);
}

Image RunPainter::still(std::size_t run, double time, const DrawSettings& settings) const {
  Image image = draw(run, time, settings);
  const Recording& recording = *runs_[run].recording;
  annotate(image, runs_[run].name, time_text(time, recording.frames.back().time), grid_note(), scale_);
  return image;
}

Image RunPainter::sheet(std::size_t run, const std::vector<double>& times, int columns, const DrawSettings& cell,
                        const std::vector<std::string>& labels) const {
  std::vector<SheetCell> cells;
  const double end = runs_.at(run).recording->frames.back().time;
  for (std::size_t i = 0; i < times.size(); ++i) {
    cells.push_back({draw(run, times[i], cell), time_text(times[i], end)});
    if (i < labels.size() && !labels[i].empty()) cells.back().caption += ", " + labels[i];
  }
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
