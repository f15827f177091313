#pragma once
// The scene format as data. One ModelEntry per model (mesh generator, material, damping, stepper, load, start, ...)
// carries its name, meaning, reference and parameters with symbol, unit, range and default. Validation, `--dry-run`,
// the JSON Schema, the tables of docs/theory/scene.md and the forms of front ends are all read from here.
//
// Adding a model is one entry, with its factory, in a file of models/: an existing one, or a new models/<name>.cpp with
// the function models::<name>(Registry&), which is found by its file name. Nothing else in scene/ changes.

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/scene/format/factories.hpp"

namespace dashpot {

class Settings;

/// Families of models that a scene chooses from by name.
enum class Category { mesh, material, damping, stepper, load, start, where, motion, collider };

/// How a scene names the model it wants: {"model": "stvk", ...} (by field) or {"bar": {...}} (by key).
struct CategoryInfo {
  Category category;
  const char* name;     ///< "material"
  const char* article;  ///< "a material"
  const char* field;    ///< "model", "from"; nullptr: the model's name is the key
  const char* meaning;
};
const std::vector<CategoryInfo>& all_categories();
const CategoryInfo& category_info(Category category);

/// Admissible values. Out of range is an error, never a clamp.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  bool contains(double value) const;
  /// "0 < poisson < 0.5"; empty when everything is allowed.
  std::string text(const std::string& name, Quantity quantity) const;
};

struct Parameter;

/// What a value may be.
struct ValueType {
  enum class Kind {
    boolean,
    integer,
    real,     ///< a number, or text with a unit of `quantity`
    text,     ///< free text; with may_be_path also the name of a file or folder, relative to the scene's folder
    file,     ///< path, relative to the scene's folder; must exist
    choice,   ///< one of `choices`
    list,     ///< items of `element`
    object,   ///< `fields`
    model,    ///< a model of `category`
    regions,  ///< per-region overrides: {"ear": {...}} or [{"where": ..., ...}] of the enclosing model's per_region
              ///< parameters
  };
  Kind kind = Kind::real;
  Quantity quantity = Quantity::number;
  ValueRange range;
  std::vector<std::string> choices;
  std::vector<ValueType> element;  ///< list: exactly one
  std::size_t min_size = 0, max_size = std::numeric_limits<std::size_t>::max();
  std::vector<Parameter> fields;
  Category category = Category::mesh;
  bool may_be_path = false;
};

struct Parameter {
  std::string name, symbol, meaning;
  ValueType type;
  bool required = true;
  std::string fallback;  ///< default, as JSON; empty with required == false: may be absent
  std::string remedy;    ///< appended to range errors
  ValueRange plausible;  ///< outside: a warning with `doubt`
  std::string doubt;
  std::vector<std::string> synonyms;  ///< names other tools use; only for "did you mean"
  bool per_region = false;

  // Chained description, read like a sentence: parameter::real("dt", "h", Quantity::time, "time step").above(0)
  Parameter& above(double low);
  Parameter& at_least(double low);
  Parameter& below(double high);
  Parameter& at_most(double high);
  Parameter& or_else(std::string json_text);
  Parameter& may_be_absent();
  Parameter& advise(std::string text);
  Parameter& doubt_outside(double low, double high, std::string text);
  Parameter& known_as(std::vector<std::string> names);
  Parameter& by_region();
  Parameter& or_a_path();
  Parameter& sized(std::size_t min_size, std::size_t max_size);
};

/// Descriptions of parameters: parameter::real("dt", "h", Quantity::time, "time step").above(0).
namespace parameter {
Parameter real(std::string name, std::string symbol, Quantity quantity, std::string meaning);
Parameter integer(std::string name, std::string symbol, std::string meaning);
Parameter boolean(std::string name, std::string meaning);
Parameter text(std::string name, std::string meaning);
Parameter file(std::string name, std::string meaning);
Parameter choice(std::string name, std::vector<std::string> choices, std::string meaning);
Parameter vector3(std::string name, std::string symbol, Quantity quantity, std::string meaning);
Parameter list(std::string name, ValueType element, std::string meaning);
Parameter object(std::string name, std::vector<Parameter> fields, std::string meaning);
Parameter model(std::string name, Category category, std::string meaning);
Parameter regions(std::string meaning);
ValueType model_type(Category category);
ValueType object_type(std::vector<Parameter> fields);
ValueType integer_type(double low);
ValueType real_type(Quantity quantity);
ValueType list_type(ValueType element, std::size_t min_size, std::size_t max_size);
}  // namespace parameter

/// Looks at a model's parameters together ("alpha and beta, or zeta, not both").
using ModelCheck = std::function<void(const Settings&, std::vector<Problem>&)>;

struct ModelEntry {
  Category category = Category::mesh;
  std::string name, meaning, reference;
  std::vector<Parameter> parameters;
  Factory factory;
  std::string shorthand = {};  ///< parameter meant by {"file": "part.msh"}; empty: none
  ModelCheck check = {};
  /// Typical uses as JSON. Every damping and every material of tets must have some: tests of all of them run on these
  /// (tests/unit/scene).
  std::vector<std::string> examples = {};
  bool may_repeat = false;     ///< a damping that a body may have several times; they act in the order of the list
  bool is_for_sheets = false;  ///< a damping whose examples are tried on cloth: it acts on sheets, or differently there
  /// A damping that stiffens what moves: the share of the moduli asked for that is left at rest. Energies are made with
  /// that share of them.
  std::function<double(const Settings&)> share_at_rest = {};

  const Parameter* parameter(std::string_view wanted) const;
};

class Registry {
 public:
  void add(ModelEntry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<ModelEntry>& entries() const { return entries_; }
  const ModelEntry* find(Category category, std::string_view name) const;
  std::vector<std::string> names(Category category) const;
  /// The fixed parts of a scene: time, solver, bodies, record.
  std::vector<Parameter> scene_fields;

 private:
  std::vector<ModelEntry> entries_;
};

/// All models of this build; constant.
const Registry& registry();

}  // namespace dashpot
