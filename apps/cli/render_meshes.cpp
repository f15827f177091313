// Pictures of meshes and shapes at rest for `dashpot render`.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dashpot/mesh/read.hpp"
#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/mesh_picture.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/shape/assets.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "render_request.hpp"

namespace dashpot::cli {
namespace {

bool is_mesh_file(const std::string& input) {
  const std::string extension = std::filesystem::path(input).extension().string();
  const std::vector<std::string> known = readable_mesh_extensions();
  return std::find(known.begin(), known.end(), extension) != known.end();
}

/// Options that only runs understand, all at once.
void refuse_run_options(const RenderOptions& o) {
  OptionReader reader;
  const auto refuse = [&](const char* option, bool given) {
    if (given) reader.add_problem({option, "a mesh or shape does not move", "the folder of a run", ""});
  };
  refuse("--at", !o.at.empty());
  refuse("--frames", !o.frames_folder.empty());
  refuse("--color", o.color != "none");
  refuse("--surface", !o.surface.empty());
  refuse("--follow", o.follow);
  reader.finish();
}

render::Image picture_of(const std::string& input, const RenderRequest& request, int width, int height,
                         const Console& console) {
  render::MeshPictureSettings settings;
  settings.draw = request.draw_settings(width, height);
  settings.look = request.look;
  settings.colors_regions = request.options.regions;
  if (is_mesh_file(input)) {
    settings.title = std::filesystem::path(input).filename().string();
    settings.style.shows_edges = request.options.edges;
    return render::mesh_picture(read_mesh(input), settings);
  }
  std::vector<Problem> warnings;
  const Shape shape = load_shape(input, &warnings);
  const ShapeMesh meshed = mesh_shape(shape, {request.options.tets, 0, 0});
  warnings.insert(warnings.end(), meshed.warnings.begin(), meshed.warnings.end());
  for (const Problem& warning : warnings) console.warning(warning.text());
  settings.title = shape.title.empty() ? shape.name : shape.title;
  settings.style = render::shape_style(shape, meshed);
  settings.style.shows_edges = request.options.edges;
  if (!request.has_look) {
    const double zoom = settings.look.zoom;
    settings.look = render::shape_look(shape);
    settings.look.zoom = zoom;
  }
  return render::mesh_picture(meshed.mesh, settings);
}

}  // namespace

int render_meshes(const RenderRequest& request, const Console& console) {
  refuse_run_options(request.options);
  const std::vector<std::string>& inputs = request.options.inputs;
  const int columns = std::min<int>(4, static_cast<int>(inputs.size()));
  std::vector<render::SheetCell> cells;
  Progress progress(console, "pictures", static_cast<double>(inputs.size()), "pictures");
  for (const std::string& input : inputs) {
    cells.push_back({picture_of(input, request, request.width / columns, request.height / columns, console), ""});
    progress.update(static_cast<double>(cells.size()));
  }
  progress.finish();
  const render::Image image =
      cells.size() == 1 ? cells.front().image : render::contact_sheet(cells, {"", "", {}, columns, std::nullopt});
  render::write_png(request.options.file, image,
                    {{"Title", fmt::format("{}", fmt::join(inputs, ", "))}, {"Comment", request.command}});
  console.message(request.options.file);
  console.print_json({{"inputs", inputs}, {"pictures", {request.options.file}}});
  return exit_ok;
}

}  // namespace dashpot::cli
