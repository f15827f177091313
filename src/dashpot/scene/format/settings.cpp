#include "dashpot/scene/format/settings.hpp"

#include <fmt/format.h>

#include <cassert>
#include <filesystem>

#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

/// Normal form of a choice: {"bar": {...}} by key, {"model": "stvk", ...} or {"from": "rest", ...} by field.
ModelSpec model_of(const std::shared_ptr<const SceneDocument>& document, const JsonValue& value, Category category,
                   const std::string& pointer) {
  const CategoryInfo& info = category_info(category);
  if (info.field != nullptr)
    return {registry().find(category, value.find(info.field)->text), Settings(document, value, pointer)};
  const JsonMember& member = value.members.front();
  return {registry().find(category, member.key), Settings(document, member.value, pointer + "/" + member.key)};
}

}  // namespace

Settings::Settings(std::shared_ptr<const SceneDocument> document, const JsonValue& value, std::string pointer)
    : document_(std::move(document)), value_(&value), pointer_(std::move(pointer)) {}

const JsonValue& Settings::get(std::string_view name) const {
  const JsonValue* found = value_->find(name);
  assert(found != nullptr && "the registry does not promise this parameter");
  return *found;
}

bool Settings::has(std::string_view name) const { return value_ != nullptr && value_->find(name) != nullptr; }
double Settings::number(std::string_view name) const { return get(name).number; }
int Settings::integer(std::string_view name) const { return static_cast<int>(get(name).number); }
bool Settings::flag(std::string_view name) const { return get(name).boolean; }
const std::string& Settings::text(std::string_view name) const { return get(name).text; }

Vec3 Settings::vec3(std::string_view name) const {
  const JsonValue& value = get(name);
  return {value.items[0].number, value.items[1].number, value.items[2].number};
}

std::vector<double> Settings::numbers(std::string_view name) const {
  std::vector<double> result;
  for (const JsonValue& item : get(name).items) result.push_back(item.number);
  return result;
}

std::vector<std::vector<double>> Settings::rows(std::string_view name) const {
  std::vector<std::vector<double>> result;
  for (const JsonValue& row : get(name).items) {
    result.emplace_back();
    for (const JsonValue& item : row.items) result.back().push_back(item.number);
  }
  return result;
}

std::vector<int> Settings::integers(std::string_view name) const {
  std::vector<int> result;
  for (const JsonValue& item : get(name).items) result.push_back(static_cast<int>(item.number));
  return result;
}

std::vector<std::string> Settings::texts(std::string_view name) const {
  std::vector<std::string> result;
  for (const JsonValue& item : get(name).items) result.push_back(item.text);
  return result;
}

Settings Settings::section(std::string_view name) const {
  return {document_, get(name), fmt::format("{}/{}", pointer_, name)};
}

std::vector<Settings> Settings::sections(std::string_view name) const {
  std::vector<Settings> result;
  const JsonValue& all = get(name);
  for (std::size_t i = 0; i < all.items.size(); ++i)
    result.emplace_back(document_, all.items[i], fmt::format("{}/{}/{}", pointer_, name, i));
  return result;
}

ModelSpec Settings::model(std::string_view name, Category category) const {
  return model_of(document_, get(name), category, fmt::format("{}/{}", pointer_, name));
}

std::vector<ModelSpec> Settings::models(std::string_view name, Category category) const {
  std::vector<ModelSpec> result;
  const JsonValue& all = get(name);
  for (std::size_t i = 0; i < all.items.size(); ++i)
    result.push_back(model_of(document_, all.items[i], category, fmt::format("{}/{}/{}", pointer_, name, i)));
  return result;
}

std::string path_from(const SceneDocument& document, const std::string& written) {
  const std::filesystem::path path(written);
  return path.is_absolute() || document.folder.empty() ? path.string()
                                                       : (std::filesystem::path(document.folder) / path).string();
}

std::string Settings::path(std::string_view name) const { return path_from(*document_, get(name).text); }

FileReader Settings::reader() const {
  return [files = document_->files](const std::string& path) { return files->read(path); };
}

Settings Settings::overridden_by(const Settings& other) const {
  auto merged =
      std::make_shared<SceneDocument>(SceneDocument{document_->file, document_->folder, *value_, document_->files});
  for (const JsonMember& member : other.value().members) {
    if (JsonValue* own = merged->value.find(member.key))
      *own = member.value;
    else
      merged->value.members.push_back(member);
  }
  const JsonValue& value = merged->value;
  return {std::move(merged), value, pointer_};
}

std::string Settings::place(std::string_view name) const {
  if (value_ == nullptr) return {};
  const JsonValue* value = name.empty() ? value_ : value_->find(name);
  const std::string pointer = name.empty() ? pointer_ : fmt::format("{}/{}", pointer_, name);
  if (value == nullptr) value = value_;
  return place_text(document_->file, value->line, value->column, pointer);
}

const std::string& ModelSpec::name() const { return entry->name; }

}  // namespace dashpot
