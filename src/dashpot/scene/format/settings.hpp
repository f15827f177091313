#pragma once
// Read access to the checked values of a model or section: every parameter has the type and range its registry entry
// promises, quantities are SI numbers, defaults are filled in. Asking for a name the registry does not know is our
// mistake and asserts.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/core/input_files.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

struct ModelEntry;
enum class Category;

/// A checked scene and the file it came from.
struct SceneDocument {
  std::string file;    ///< as named by the user
  std::string folder;  ///< relative paths start here; empty: the working folder
  JsonValue value;     ///< normal form
  /// Everything that is read for this scene is read through it.
  std::shared_ptr<InputFiles> files = std::make_shared<InputFiles>();
  std::vector<std::string> paths = {};  ///< pointers to the values that name a file or folder
};

/// A model chosen in a scene.
struct ModelSpec;

/// A file name as written in the scene, made usable from here.
std::string path_from(const SceneDocument& document, const std::string& written);

class Settings {
 public:
  Settings() = default;
  Settings(std::shared_ptr<const SceneDocument> document, const JsonValue& value, std::string pointer);

  bool has(std::string_view name) const;
  double number(std::string_view name) const;
  int integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  Vec3 vec3(std::string_view name) const;
  /// A list of numbers, of lists of numbers, of integers.
  std::vector<double> numbers(std::string_view name) const;
  std::vector<std::vector<double>> rows(std::string_view name) const;
  std::vector<int> integers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  Settings section(std::string_view name) const;
  std::vector<Settings> sections(std::string_view name) const;
  ModelSpec model(std::string_view name, Category category) const;
  std::vector<ModelSpec> models(std::string_view name, Category category) const;
  /// A path relative to the scene's folder, made usable from here.
  std::string path(std::string_view name) const;
  /// Reads a file for this scene and notes it as one of its inputs. Outlives the settings.
  FileReader reader() const;

  /// These settings with the members of `other` in place of their own.
  Settings overridden_by(const Settings& other) const;

  /// Where a parameter (or, without a name, this section) stands: "scene.json:3:7: /bodies/0/material/young".
  std::string place(std::string_view name = {}) const;
  const std::string& pointer() const { return pointer_; }
  const JsonValue& value() const { return *value_; }

 private:
  const JsonValue& get(std::string_view name) const;
  std::shared_ptr<const SceneDocument> document_;
  const JsonValue* value_ = nullptr;
  std::string pointer_;
};

struct ModelSpec {
  const ModelEntry* entry = nullptr;
  Settings settings;
  const std::string& name() const;
};

}  // namespace dashpot
