// `dashpot scan RUN --out DIR`: virtual depth cameras looking at a run: point clouds with known truth.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/learn/scan.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* index_name = "scan.json";

struct ScanCommand {
  std::string run, out, noise = "0", format = "ply";
  std::vector<std::string> cameras, directions, bodies;
  int points = 1000, every = 1;
  double outliers = 0;
  std::uint64_t seed = 1;
  bool force = false;
};

/// "1,2,3" or "1 2 3" as a vector; a problem of the option where it is not.
Vec3 vector_option(OptionReader& reader, const std::string& option, const std::string& text) {
  std::string blanks = text;
  for (char& c : blanks) c = c == ',' ? ' ' : c;
  Vec3 x = Vec3::Constant(nan);
  std::istringstream words(blanks);
  std::string rest;
  if (!(words >> x[0] >> x[1] >> x[2]) || (words >> rest) || !x.allFinite()) {
    reader.add_problem({option, fmt::format("\"{}\"", text), "three numbers: X,Y,Z", ""});
    return Vec3::Constant(nan);
  }
  return x;
}

/// Two far cameras, in front and behind, both from above, unless others are asked for.
std::vector<learn::DepthCamera> cameras_of(const ScanCommand& command, OptionReader& reader) {
  std::vector<learn::DepthCamera> cameras;
  for (const std::string& text : command.cameras) {
    const Vec3 x = vector_option(reader, "--camera", text);
    cameras.push_back({fmt::format("camera{}", cameras.size()), x, Vec3::UnitZ()});
  }
  for (const std::string& text : command.directions) {
    const Vec3 x = vector_option(reader, "--from", text);
    if (x.allFinite() && !(x.stableNorm() > 0))
      reader.add_problem({"--from", fmt::format("\"{}\"", text), "a direction from the body to the camera", ""});
    cameras.push_back({fmt::format("camera{}", cameras.size()), {}, x.stableNormalized()});
  }
  if (cameras.empty())
    cameras = {{"front", {}, Vec3(0.5, 0.4, 1).normalized()}, {"back", {}, Vec3(-0.5, 0.4, -1).normalized()}};
  return cameras;
}

learn::ScanSettings settings_of(const ScanCommand& command, const Recording& run) {
  OptionReader reader;
  learn::ScanSettings settings;
  settings.cameras = cameras_of(command, reader);
  settings.bodies = command.bodies;
  settings.points = command.points;
  settings.every = command.every;
  settings.outliers = command.outliers;
  settings.seed = command.seed;
  if (command.noise.ends_with('%')) {  // of the size of the bodies at rest
    std::vector<Vec3> nodes;
    for (const RecordedBody& body : run.bodies)
      nodes.insert(nodes.end(), body.mesh.nodes.begin(), body.mesh.nodes.end());
    settings.noise = reader.quantity("--noise", command.noise, Quantity::number) * bounding_box(nodes).diagonal();
  } else {
    settings.noise = reader.quantity("--noise", command.noise == "0" ? "0 m" : command.noise, Quantity::length);
  }
  reader.finish();
  return settings;
}

/// Only what this command wrote is replaced.
void require_scan_folder(const std::string& folder) {
  if (std::filesystem::exists(folder + "/" + index_name)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != FolderLock::file_name)
      throw Error(Problem{folder, fmt::format("this folder is not that of a scan: it holds {}", name),
                          "a new or empty folder", "choose another --out, or --force to write beside what is there"});
  }
}

/// Files of a scan that is begun; gone again unless it is finished, so that what has no index is not there either.
class ScanFiles {
 public:
  explicit ScanFiles(std::string folder) : folder_(std::move(folder)) {}
  ~ScanFiles() {
    std::error_code failed;
    for (const std::string& name : written_) std::filesystem::remove(folder_ + "/" + name, failed);
  }
  void write(const std::string& name, const std::string& bytes) {
    write_file_atomically(folder_ + "/" + name, bytes);
    written_.push_back(name);
  }
  void keep() { written_.clear(); }

 private:
  std::string folder_;
  std::vector<std::string> written_;
};

/// "frame_00010_0.ply".
std::string cloud_name(int frame, std::size_t camera, const std::string& format) {
  return fmt::format("frame_{:05}_{}.{}", frame, camera, format);
}

/// Whether this command calls its files so.
bool is_cloud_name(const std::string& name) {
  int frame = 0, camera = 0, length = 0;
  if (std::sscanf(name.c_str(), "frame_%d_%d.%n", &frame, &camera, &length) < 2 || frame < 0 || camera < 0)
    return false;
  const std::string format = name.substr(static_cast<std::size_t>(length));
  return (format == "ply" || format == "xyz") && name == cloud_name(frame, static_cast<std::size_t>(camera), format);
}

/// An earlier scan in this folder: its index first, so that no index names files of another scan. Without an index the
/// files are somebody else's.
void remove_earlier_scan(const std::string& folder) {
  if (!std::filesystem::remove(folder + "/" + index_name)) return;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (is_cloud_name(entry.path().filename().string())) old.push_back(entry.path());
  for (const auto& path : old) std::filesystem::remove(path);
}

ordered_json result_of(const ScanCommand& command, const learn::CloudSequence& clouds, std::size_t num_points,
                       std::size_t num_blind) {
  ordered_json cameras = ordered_json::array();
  for (const learn::DepthCamera& camera : clouds.cameras) {
    const Vec3 x = camera.position.value_or(camera.direction);
    cameras.push_back({{"name", camera.name}, {camera.position ? "position" : "direction", {x[0], x[1], x[2]}}});
  }
  return {{"run", command.run},
          {"index", command.out + "/" + index_name},
          {"frames", clouds.frames.size()},
          {"cameras", cameras},
          {"points", num_points},
          {"blind", num_blind},
          {"noise", clouds.noise},
          {"outliers", command.outliers},
          {"seed", command.seed}};
}

int scan(const ScanCommand& command, const Console& console) {
  const Recording run = read_recording(command.run);
  const learn::ScanSettings settings = settings_of(command, run);
  const learn::Scanner scanner(run, settings);
  catch_interrupts();
  const FolderLock held = hold_output_folder(command.out, console);
  if (!command.force) require_scan_folder(command.out);
  remove_earlier_scan(command.out);

  learn::CloudSequence clouds;
  clouds.cameras = settings.cameras;
  clouds.noise = settings.noise;
  std::vector<std::vector<std::string>> names;
  std::size_t num_points = 0, num_blind = 0;
  ScanFiles files(command.out);
  {
    Progress progress(console, "scan", static_cast<double>(scanner.frames().size()), "frames");
    const auto start = std::chrono::steady_clock::now();
    for (const int frame : scanner.frames()) {
      if (interrupted()) {
        console.message("interrupted; nothing was written");
        return exit_interrupted;
      }
      const learn::CloudFrame cloud = scanner.scan(frame);
      std::vector<std::string>& own = names.emplace_back();
      for (std::size_t camera = 0; camera < cloud.points.size(); ++camera) {
        const std::vector<Vec3>& points = cloud.points[camera];
        num_points += points.size();
        num_blind += points.empty() ? 1 : 0;
        own.push_back(points.empty() ? std::string() : cloud_name(frame, camera, command.format));
        if (!points.empty())
          files.write(own.back(), command.format == "ply" ? learn::ply_bytes(points) : learn::xyz_text(points));
      }
      clouds.frames.push_back({cloud.time, {}});
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1))  // short scans stay silent
        progress.update(static_cast<double>(clouds.frames.size()));
    }
  }
  if (num_points == 0)
    throw Error(Problem{"scan", "no camera sees anything in any frame", "cameras that look at the bodies",
                        "check --from and --camera: they are positions of cameras, directions towards them"});
  if (num_blind > 0)
    console.warning(fmt::format("in {} of {} pictures the camera sees nothing: no file there", num_blind,
                                names.size() * settings.cameras.size()));
  files.write(index_name,
              learn::cloud_index(clouds, names,
                                 {{"made_by", fmt::format("dashpot scan {}", command.run)},
                                  {"program", fmt::format("dashpot {} ({}), {}", version(), commit(), compiler())},
                                  {"seed", std::to_string(command.seed)},
                                  {"outliers", fmt::format("{}", command.outliers)}}));
  files.keep();
  console.print_json(result_of(command, clouds, num_points, num_blind));
  console.message(
      fmt::format("{} frames, {} points -> {}/{}", clouds.frames.size(), num_points, command.out, index_name));
  return exit_ok;
}

}  // namespace

void setup_scan(CLI::App& app, Session& session) {
  auto o = std::make_shared<ScanCommand>();
  app.add_option("run", o->run, "Folder of a run (dashpot run SCENE --out RUN)")->required()->type_name("RUN");
  app.add_option("--out", o->out, "Folder for the clouds and their index scan.json")->required()->type_name("DIR");
  app.add_option("--camera", o->cameras, "A depth camera that stands here; may be repeated")
      ->type_name("X,Y,Z")
      ->allow_extra_args(false);
  app.add_option("--from", o->directions,
                 "A far camera in this direction from the body; may be repeated (default: front and back)")
      ->type_name("X,Y,Z")
      ->allow_extra_args(false);
  app.add_option("--points", o->points, "Points a frame and camera")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  app.add_option("--every", o->every, "Every n-th recorded frame")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--noise", o->noise,
                 "Standard deviation of every coordinate: \"1 mm\", or \"1 %\" of the bodies' size")
      ->type_name("LENGTH")
      ->capture_default_str();
  app.add_option("--outliers", o->outliers, "Share of the points that are anywhere")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--seed", o->seed, "Of noise, outliers and places: the same seed, the same points")
      ->capture_default_str();
  app.add_option("--body", o->bodies, "Only this body; may be repeated. The others hide it")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--format", o->format, "Of the points")->check(CLI::IsMember({"ply", "xyz"}))->capture_default_str();
  app.add_flag("--force", o->force, "Write into a folder that holds something else");
  app.footer(
      "The clouds are what `learn` takes as data. Other scanners: write an index like scan.json beside their files.\n\n"
      "Examples:\n  dashpot scan out/beam --out clouds --noise '1 %' --outliers 0.02 --every 2\n"
      "  dashpot scan out/beam --out clouds --camera 0,1,2 --camera 2,1,0 --points 5000");
  app.callback([o, &session] { session.action = [o, &session] { return scan(*o, session.console); }; });
}

}  // namespace dashpot::cli
