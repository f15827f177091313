#include "project_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"
#include "json_build.hpp"
#include "studio_document.hpp"

namespace dashpot::studio {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 6;
constexpr int most_entries = 20000, most_listed = 2000;
constexpr std::uintmax_t largest_scene = 4 << 20;  // [bytes]

struct Listing {
  JsonValue scenes = JsonValue::array(), runs = JsonValue::array();
  int seen = 0, listed = 0;
};

/// The title of a scene file; nothing where it is none.
std::optional<std::string> title_of(const fs::path& file) {
  std::error_code failed;
  if (fs::file_size(file, failed) > largest_scene || failed) return std::nullopt;
  try {
    const ParsedJson parsed = parse_json(read_file(file.string()), file.string());
    if (parsed.value.find("dashpot") == nullptr || parsed.value.find("bodies") == nullptr) return std::nullopt;
    const JsonValue* title = parsed.value.find("title");
    return title != nullptr ? title->text : "";
  } catch (const Error&) {
    return std::nullopt;
  }
}

void list_folder(const fs::path& project, const fs::path& folder, int depth, Listing& out) {
  std::error_code failed;
  if (fs::exists(folder / "recording.json", failed)) {
    out.runs.push(object({{"path", json(folder.lexically_relative(project).generic_string())}}));
    ++out.listed;
    return;  // what lies in a run belongs to it
  }
  std::vector<fs::path> entries;
  for (auto it = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, failed);
       !failed && it != fs::directory_iterator() && out.seen < most_entries; it.increment(failed), ++out.seen)
    entries.push_back(it->path());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (name.empty() || name.front() == '.' || name == "node_modules" || out.listed >= most_listed) continue;
    if (fs::is_symlink(entry, failed)) continue;
    if (fs::is_directory(entry, failed)) {
      if (depth < deepest) list_folder(project, entry, depth + 1, out);
    } else if (entry.extension() == ".json" && fs::is_regular_file(entry, failed)) {
      if (const std::optional<std::string> title = title_of(entry)) {
        out.scenes.push(
            object({{"path", json(entry.lexically_relative(project).generic_string())}, {"title", json(*title)}}));
        ++out.listed;
      }
    }
  }
}

bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 120 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                  c == '-' || c == ' ';
         });
}

}  // namespace

std::string list_files(const fs::path& project) {
  Listing listing;
  list_folder(project, project, 0, listing);
  return compact(object({{"scenes", listing.scenes}, {"runs", listing.runs}}));
}

std::string keep_mesh(const fs::path& project, const std::string& name, std::string_view bytes) {
  const std::vector<std::string> known = readable_mesh_extensions();
  if (!is_plain(name) || std::find(known.begin(), known.end(), lower_extension(name)) == known.end())
    throw Error(Problem{"name", fmt::format("\"{}\"", name.substr(0, 120)),
                        fmt::format("a plain file name that ends in {}", fmt::join(known, ", ")),
                        "letters, digits, blanks, points, - and _"});
  fs::path path = path_inside(project, project, "meshes/" + name);
  for (int number = 2; fs::exists(path); ++number)
    path.replace_filename(
        fmt::format("{}_{}{}", fs::path(name).stem().string(), number, fs::path(name).extension().string()));
  create_folder(path.parent_path().string());
  write_file_atomically(path.string(), bytes);
  try {
    MeshReport report;
    const Mesh mesh = read_mesh(path.string(), &report);
    const ElementGroup* tets = mesh.tets();
    return compact(object({{"path", json(path.lexically_relative(project).generic_string())},
                           {"points", json(mesh.num_nodes())},
                           {"tets", json(tets != nullptr ? tets->size() : 0)}}));
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw;
  }
}

}  // namespace dashpot::studio
