// `dashpot render MESH -o out.png`: a picture of a mesh.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/render/body_skin.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/rasterizer.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"

namespace dashpot::cli {
namespace {

struct RenderOptions {
  std::string input, file = "render.png", size = "900x600", look = "35,18";
  double zoom = 1;
  bool edges = false, regions = false;
};

std::pair<int, int> read_size(const std::string& text, OptionReader& reader) {
  const std::vector<std::string> parts = split_list(text, 'x');
  if (parts.size() == 2) {
    const double w = reader.quantity("--size", parts[0], Quantity::number);
    const double h = reader.quantity("--size", parts[1], Quantity::number);
    if (w >= 16 && h >= 16 && w <= 8192 && h <= 8192) return {static_cast<int>(w), static_cast<int>(h)};
  }
  reader.add_problem({"--size", fmt::format("'{}'", text), "WIDTHxHEIGHT, each 16 to 8192 pixels", ""});
  return {900, 600};
}

int render(const RenderOptions& options, const Console& console) {
  OptionReader reader;
  const auto [width, height] = read_size(options.size, reader);
  const std::vector<double> angles = reader.list("--look", options.look, Quantity::number);
  if (angles.size() != 2)
    reader.add_problem({"--look", fmt::format("'{}'", options.look), "azimuth,elevation in degrees", ""});
  reader.finish();
  const Mesh mesh = read_mesh(options.input);
  render::Stage stage;
  render::BodyStyle style;
  style.shows_edges = options.edges;
  if (options.regions) style.node_colors = render::region_colors(mesh);
  render::BodySkin(mesh).add_to(stage, mesh.nodes, style);
  render::add_ground(stage, mesh.nodes);
  render::Look look;
  look.azimuth = angles[0];
  look.elevation = angles[1];
  look.zoom = options.zoom;
  render::DrawSettings settings;
  settings.width = width;
  settings.height = height;
  const render::Camera camera =
      render::frame_points(mesh.nodes, look, static_cast<double>(width) / static_cast<double>(height));
  render::write_png(options.file, render::draw(stage, camera, settings), {{"Title", options.input}});
  console.message(options.file);
  console.print_json({{"input", input_stamp(options.input)}, {"picture", options.file}});
  return exit_ok;
}

}  // namespace

void setup_render(CLI::App& app, Session& session) {
  auto o = std::make_shared<RenderOptions>();
  app.add_option("input", o->input, "Mesh file")->required()->type_name("MESH");
  app.add_option("-o,--out", o->file, "Picture to write")->capture_default_str()->type_name("FILE.png");
  app.add_option("--size", o->size, "Pixels")->capture_default_str()->type_name("WxH");
  app.add_option("--look", o->look, "Azimuth and elevation of the camera [degrees]")
      ->capture_default_str()
      ->type_name("A,E");
  app.add_option("--zoom", o->zoom, "Above 1: closer")->capture_default_str()->check(CLI::Range(0.01, 100.0));
  app.add_flag("--edges", o->edges, "Draw the edges of the surface");
  app.add_flag("--regions", o->regions, "Colour by region");
  app.footer("Example: dashpot render part.msh --look 60,20 -o part.png");
  app.callback([o, &session] { session.action = [o, &session] { return render(*o, session.console); }; });
}

}  // namespace dashpot::cli
