// `dashpot render INPUT...`: pictures of runs, meshes and shapes.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "option_values.hpp"
#include "render_request.hpp"

namespace dashpot::cli {
namespace {

void read_size(const std::string& text, RenderRequest& request, OptionReader& reader) {
  const std::vector<std::string> parts = split_list(text, 'x');
  if (parts.size() == 2) {
    const double w = reader.quantity("--size", parts[0], Quantity::number);
    const double h = reader.quantity("--size", parts[1], Quantity::number);
    request.width = w >= 64 && w <= 8192 ? static_cast<int>(w) : 0;
    request.height = h >= 64 && h <= 8192 ? static_cast<int>(h) : 0;
  }
  if (request.width == 0 || request.height == 0)
    reader.add_problem({"--size", fmt::format("'{}'", text), "WIDTHxHEIGHT, each 64 to 8192 pixels", ""});
}

void read_look(const std::string& text, RenderRequest& request, OptionReader& reader) {
  request.look.zoom = request.options.zoom;
  if (text.empty()) return;
  const std::vector<double> angles = reader.list("--look", text, Quantity::number);
  request.has_look = true;
  if (angles.size() != 2 || !(std::abs(angles[1]) <= 90)) {
    reader.add_problem({"--look", fmt::format("'{}'", text), "azimuth,elevation in degrees, |elevation| <= 90",
                        "for example --look 35,18"});
    return;
  }
  request.look.azimuth = angles[0];
  request.look.elevation = angles[1];
}

std::string command_text(const RenderOptions& o) {
  std::string text = "dashpot render " + fmt::format("{}", fmt::join(o.inputs, " "));
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} '{}'", option, value);
  };
  add("--at", o.at);
  add("--color", o.color == "none" ? "" : o.color);
  add("--look", o.look);
  add("--surface", o.surface);
  add("--body", o.body);
  if (o.zoom != 1) text += fmt::format(" --zoom {}", o.zoom);
  return text;
}

int render_inputs(const RenderOptions& options, const Console& console) {
  const RenderRequest request = read_request(options);
  const auto runs = static_cast<std::size_t>(std::count_if(options.inputs.begin(), options.inputs.end(), is_run));
  if (runs == options.inputs.size()) return render_runs(request, console);
  if (runs == 0) return render_meshes(request, console);
  throw UsageError(Problem{"dashpot render", "runs and meshes together", "either runs, or meshes and shapes",
                           "Call it once for each kind."});
}

}  // namespace

bool is_run(const std::string& input) { return std::filesystem::is_directory(input); }

render::DrawSettings RenderRequest::draw_settings(int w, int h) const {
  if (options.draft) return render::DrawSettings::draft(w, h);
  render::DrawSettings settings;
  settings.width = w;
  settings.height = h;
  return settings;
}

RenderRequest read_request(const RenderOptions& options) {
  RenderRequest request;
  request.options = options;
  request.command = command_text(options);
  OptionReader reader;
  read_size(options.size, request, reader);
  read_look(options.look, request, reader);
  if (!options.at.empty()) request.times = reader.list("--at", options.at, Quantity::time);
  using render::FieldKind;
  const std::vector<std::pair<std::string, FieldKind>> kinds = {{"none", FieldKind::none},
                                                                {"speed", FieldKind::speed},
                                                                {"strain", FieldKind::strain},
                                                                {"power", FieldKind::power}};
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == options.color; });
  if (kind == kinds.end()) {
    const std::string near = nearest_name(options.color, {"none", "speed", "strain", "power"});
    reader.add_problem({"--color", fmt::format("'{}'", options.color), "none, speed, strain or power",
                        near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
  } else {
    request.color = kind->second;
  }
  if (!options.body.empty() && options.surface.empty())
    reader.add_problem({"--body", "no surface to put on it", "--surface MESH too", ""});
  if (!options.file.empty() && !options.frames_folder.empty())
    reader.add_problem({"dashpot render", "both --out and --frames", "one of them", ""});
  reader.finish();
  if (request.options.file.empty()) request.options.file = "render.png";
  return request;
}

void setup_render(CLI::App& app, Session& session) {
  auto o = std::make_shared<RenderOptions>();
  app.add_option("inputs", o->inputs, "Folders of runs; or mesh files, shape files, names of assets")
      ->required()
      ->type_name("INPUT");
  app.add_option("-o,--out", o->file, "Picture to write (default render.png)")->type_name("FILE.png");
  app.add_option("--frames", o->frames_folder, "Write a sequence frame_00000.png ... into this folder instead")
      ->type_name("DIR");
  app.add_option("--at", o->at, "Times to show; several runs stand side by side")->type_name("T,T,...");
  app.add_option("--stills", o->stills, "Pictures of the contact sheet, at telling moments, when no times are given")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  app.add_option("--fps", o->fps, "Frames per second of simulated time in a sequence")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 1e6));
  app.add_option("--color", o->color, "Color by none, speed, strain or power (taken by the damping)")
      ->capture_default_str()
      ->type_name("FIELD");
  app.add_option("--size", o->size, "Pixels of the picture (of all stills of a row together)")
      ->capture_default_str()
      ->type_name("WxH");
  app.add_option("--look", o->look, "Azimuth and elevation of the camera [degrees] (default 35,18)")->type_name("A,E");
  app.add_option("--zoom", o->zoom, "Above 1: closer")->capture_default_str()->check(CLI::Range(0.01, 100.0));
  app.add_flag("--follow", o->follow, "The camera moves with the bodies (as it does by itself when they travel far)");
  app.add_flag("--stand", o->stands, "The camera stands still and sees the whole way")->excludes("--follow");
  app.add_option("--surface", o->surface, "A finer surface carried by the tets of a body")->type_name("MESH");
  app.add_option("--body", o->body, "The body that carries it; may be left out when there is only one")
      ->type_name("NAME");
  app.add_option("--tets", o->tets, "Elements of a shape's mesh")->capture_default_str()->check(CLI::Range(50.0, 2e6));
  app.add_flag("--edges", o->edges, "Draw the edges of the elements");
  app.add_flag("--regions", o->regions, "Color a mesh by its regions");
  app.add_flag("--draft", o->draft, "Rougher shadows, faster");
  app.footer(
      "Examples:\n  dashpot render out/beam -o beam.png --color strain\n"
      "  dashpot render out/a out/b --at '0.5 s' -o both.png\n  dashpot render koala --tets 11000 -o koala.png\n"
      "  dashpot render out/beam --frames pictures --fps 30");
  app.callback([o, &session] { session.action = [o, &session] { return render_inputs(*o, session.console); }; });
}

}  // namespace dashpot::cli
