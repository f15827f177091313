#include "studio_document.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/scene/format/normalize.hpp"

namespace dashpot::studio {
namespace {

namespace fs = std::filesystem;
using Kind = JsonValue::Kind;

constexpr const char* gain_keys[] = {"gamma", "curve", "interpolation", "preset"};

std::string unescaped(std::string part) {
  for (const auto& [from, to] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}})
    for (std::size_t at = part.find(from); at != std::string::npos; at = part.find(from, at + 1))
      part.replace(at, 2, to);
  return part;
}

[[noreturn]] void refuse(const std::string& at, const std::string& found, const std::string& expected) {
  throw Error(Problem{at, found, expected, ""});
}

void change_list(JsonValue& list, const std::string& key, const command::Change& change) {
  std::vector<JsonValue>& items = list.items;
  if (key == "-" && change.value) return items.push_back(*change.value);
  const bool is_index = !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t index = is_index ? std::stoul(key) : items.size();
  if (index >= items.size())
    refuse(change.at, fmt::format("no such entry of a list of {}", items.size()), "an entry, or \"-\" behind the last");
  if (change.value)
    items[index] = *change.value;
  else
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

void apply(JsonValue& document, const command::Change& change) {
  if (change.at.empty()) {
    if (!change.value) refuse("/", "the whole document removed", "a document");
    document = *change.value;
    return;
  }
  if (change.at.front() != '/') refuse(change.at, "no JSON pointer", "a pointer such as /bodies/0/material/young");
  const std::size_t cut = change.at.rfind('/');
  JsonValue* parent = at_pointer(document, change.at.substr(0, cut));
  const std::string key = unescaped(change.at.substr(cut + 1));
  if (parent == nullptr || !(parent->is(Kind::array) || parent->is(Kind::object)))
    refuse(change.at, "a place that does not exist", "a place in the scene");
  if (parent->is(Kind::array)) return change_list(*parent, key, change);
  if (change.value) return put_member(*parent, key, *change.value);
  if (parent->find(key) == nullptr) refuse(change.at, "nothing to remove", "a member that exists");
  remove_member(*parent, key);
}

/// Calls `visit` for each example of each damping.
template <class Visit>
void for_each_example(JsonValue& document, const Visit& visit) {
  JsonValue* bodies = document.find("bodies");
  if (bodies == nullptr) return;
  for (JsonValue& body : bodies->items)
    if (JsonValue* dampings = body.find("damping"))
      for (JsonValue& damping : dampings->items)
        if (JsonValue* examples = damping.find("examples"))
          for (JsonValue& example : examples->items) visit(example);
}

}  // namespace

void put_member(JsonValue& object, const std::string& key, JsonValue value) {
  if (JsonValue* old = object.find(key))
    *old = std::move(value);
  else
    object.add(key, std::move(value));
}

void remove_member(JsonValue& object, const std::string& key) {
  std::erase_if(object.members, [&](const JsonMember& member) { return member.key == key; });
}

JsonValue changed(JsonValue document, const std::vector<command::Change>& changes) {
  for (const command::Change& change : changes) apply(document, change);
  return document;
}

fs::path real_folder(const fs::path& folder) { return fs::weakly_canonical(fs::absolute(folder)); }

fs::path path_inside(const fs::path& project, const fs::path& folder, const std::string& path) {
  if (path.find('\0') != std::string::npos) refuse("path", "a name with a zero byte", "the name of a file");
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(folder / path), failed);
  const auto [end, ignored] = std::mismatch(project.begin(), project.end(), real.begin(), real.end());
  if (failed || end != project.end())
    refuse("path", fmt::format("\"{}\"", path.substr(0, 200)),
           fmt::format("a name inside the project folder, {}", project.string()));
  return real;
}

void require_inside(const JsonValue& document, const std::string& file, const fs::path& folder,
                    const fs::path& project) {
  std::vector<Problem> problems;
  const auto check = [&](const std::string& pointer, const std::string& name) {
    try {
      path_inside(project, folder, name);
    } catch (const Error& error) {
      problems.push_back(error.problems().front());
      problems.back().place = pointer;
    }
  };
  const Normalized normal = normalize(document, file, folder.string());
  for (const std::string& pointer : normal.paths)
    if (const JsonValue* value = at_pointer(normal.value, pointer); value != nullptr && value->is(Kind::string))
      check(pointer, value->text);
  // "inputs" of a scene that was written with all defaults name files too; so may what is not understood.
  if (const JsonValue* inputs = document.find("inputs"))
    for (const JsonValue& input : inputs->items)
      if (const JsonValue* path = input.find("path"); path != nullptr && path->is(Kind::string))
        check("/inputs", path->text);
  if (!problems.empty()) throw Error(std::move(problems));
}

void move_file_names(JsonValue& document, const fs::path& from, const fs::path& to) {
  if (from == to) return;
  const Normalized normal = normalize(document, "scene", from.string());
  for (const std::string& pointer : normal.paths)
    if (JsonValue* value = at_pointer(document, pointer); value != nullptr && value->is(Kind::string)) {
      std::error_code failed;
      const fs::path real = fs::weakly_canonical(fs::absolute(from / value->text), failed);
      if (!failed && fs::exists(real, failed)) *value = JsonValue::of(real.lexically_relative(to).generic_string());
    }
}

JsonValue what_is_built(const JsonValue& document) {
  JsonValue built = document;
  for (const char* key : {"title", "design"}) remove_member(built, key);
  for_each_example(built, [](JsonValue& example) {
    for (const char* key : gain_keys) remove_member(example, key);
  });
  return built;
}

}  // namespace dashpot::studio
