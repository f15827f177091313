// `dashpot gallery --out DIR`: every asset with its picture, counts and quality on one page.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/render/gallery.hpp"
#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/shape.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct GalleryOptions {
  std::string folder = "out/gallery", sizes;
  std::vector<std::string> names;
};

std::string command_text(const GalleryOptions& options) {
  std::string text = "dashpot gallery --out " + options.folder;
  if (!options.sizes.empty()) text += " --tets " + options.sizes;
  for (const std::string& name : options.names) text += " " + name;
  return text;
}

/// The last part of a name or path, without extension.
std::string file_name(const std::string& name) { return std::filesystem::path(name).stem().string(); }

render::GallerySettings read_settings(const GalleryOptions& options) {
  render::GallerySettings settings;
  if (options.sizes.empty()) return settings;
  OptionReader reader;
  settings.elements = reader.list("--tets", options.sizes, Quantity::number);
  for (const double size : settings.elements)
    if (!(size >= 50 && size <= 2e6))
      reader.add_problem({"--tets", fmt::format("{:.0f}", size), "50 to 2000000 tets", ""});
  reader.finish();
  settings.picture = static_cast<int>(settings.elements.size()) / 2;
  return settings;
}

int gallery(const GalleryOptions& options, const Console& console) {
  const render::GallerySettings settings = read_settings(options);
  const std::vector<std::string> names = options.names.empty() ? asset_names() : options.names;
  for (const std::string& name : options.names) load_shape(name);  // a wrong name ends it before anything is written
  const FolderLock lock = hold_output_folder(options.folder, console);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<render::GalleryEntry> entries;
  Progress progress(console, "gallery", static_cast<double>(names.size()), "assets");
  for (const std::string& name : names) {
    if (interrupted()) return exit_interrupted;
    entries.push_back(render::gallery_entry(name, settings));
    if (!entries.back().problem.empty()) console.error(name + ": " + entries.back().problem);
    if (names.size() == 1 && !entries.back().problem.empty()) return exit_bad_input;
    if (!entries.back().picture.empty())
      write_file_atomically(fmt::format("{}/{:02d}_{}.png", options.folder, entries.size(), file_name(name)),
                            entries.back().picture);
    progress.update(static_cast<double>(entries.size()));
  }
  progress.finish();
  const double total = seconds();
  render::Report page = render::gallery_report(entries, total);
  page.provenance = {{"command", command_text(options)}, {"time", fmt::format("{:.1f} s", total)}};
  write_file_atomically(options.folder + "/gallery.html", render::to_html(page));
  ordered_json json = {{"schema", "dashpot/gallery/1"}, {"program", program_stamp()}};
  json.update(ordered_json::parse(render::gallery_json(entries, total)));
  write_file_atomically(options.folder + "/gallery.json", json.dump(2) + "\n");
  json.erase("schema");
  json.erase("program");
  json["page"] = options.folder + "/gallery.html";
  console.print_json(json);
  console.message(fmt::format("{} assets in {:.1f} s: {}/gallery.html", entries.size(), total, options.folder));
  const bool failed = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return !e.problem.empty(); });
  return failed ? exit_bad_input : exit_ok;
}

}  // namespace

void setup_gallery(CLI::App& app, Session& session) {
  auto o = std::make_shared<GalleryOptions>();
  app.add_option("names", o->names, "Assets or shape files; default: all assets")->type_name("NAME");
  app.add_option("--out", o->folder, "Folder for gallery.html, gallery.json and the pictures")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--tets", o->sizes, "Resolutions to mesh (default 2000,11000,50000); the middle one is drawn")
      ->type_name("N,N,...");
  app.footer("Example: dashpot gallery --out out/gallery");
  app.callback([o, &session] { session.action = [o, &session] { return gallery(*o, session.console); }; });
}

}  // namespace dashpot::cli
