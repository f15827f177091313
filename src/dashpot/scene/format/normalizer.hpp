#pragma once
// Reads a scene document by the registry's tables: every value checked, defaults filled in, all problems collected.
// The work behind normalize(); sources: normalize.cpp (values and objects) and normalize_models.cpp.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class Normalizer {
 public:
  Normalizer(const std::string& file, const std::string& folder) : file_(file), folder_(folder) {}
  Normalized run(const JsonValue& document);

 private:
  struct PendingCheck {
    const ModelEntry* entry;
    std::string pointer;
  };

  /// The value, remembering where it came from.
  static JsonValue located(JsonValue value, const JsonValue& origin);
  /// Where a key stands.
  static JsonValue place_of(const JsonMember& member);
  /// As written where that is short, else what kind of value it is.
  static std::string shown(const JsonValue& value);
  static std::string list_of(const std::vector<std::string>& names);
  /// "did you mean ...?", or nothing.
  static std::string suggestion(const std::string& word, const std::vector<std::string>& known);

  void report(const JsonValue& at, const std::string& pointer, std::string found, std::string expected,
              std::string remedy = {}, Problem::Severity severity = Problem::Severity::error);

  JsonValue read(const JsonValue& value, const ValueType& type, const Parameter& parameter, const ModelEntry* entry,
                 const std::string& pointer);
  JsonValue read_number(const JsonValue& value, const ValueType& type, const Parameter& parameter,
                        const std::string& pointer);
  /// Absolute names stay, others start in the scene's folder.
  std::filesystem::path resolved(const std::string& written) const;
  JsonValue read_file_name(const JsonValue& value, const std::string& pointer);
  JsonValue read_choice(const JsonValue& value, const ValueType& type, const std::string& pointer);
  JsonValue read_list(const JsonValue& value, const ValueType& type, const Parameter& parameter,
                      const ModelEntry* entry, const std::string& pointer);
  /// Reads the fields of an object. `skip` is the key that chose the model, if any; `partial`: fields may be absent.
  JsonValue read_object(const JsonValue& value, const std::vector<Parameter>& fields, const std::string& pointer,
                        const ModelEntry* entry, const char* skip = nullptr, bool partial = false);
  void report_unknown_keys(const JsonValue& value, const std::vector<Parameter>& fields, const std::string& pointer,
                           const char* skip);

  JsonValue read_model(const JsonValue& value, Category category, const std::string& pointer);
  JsonValue read_model_by_field(const JsonValue& value, const CategoryInfo& info, const std::string& pointer);
  /// The model with what the law file that it names says of it, and the scene does not.
  JsonValue with_law(const JsonValue& model, const ModelEntry& entry, const CategoryInfo& info,
                     const std::string& pointer);
  JsonValue read_model_by_key(const JsonValue& value, const CategoryInfo& info, const std::string& pointer);
  /// The entry of that name, or null with a problem reported.
  const ModelEntry* find_model(const JsonValue& at, const std::string& name, const CategoryInfo& info,
                               const std::string& pointer);
  bool merge_parameters(const JsonValue& value, const JsonMember& chosen, const ModelEntry& entry,
                        JsonValue& parameters, const std::string& pointer);
  JsonValue read_regions(const JsonValue& value, const ModelEntry& entry, const std::string& pointer);

  void run_checks(const JsonValue& normal);

  const std::string& file_;
  const std::filesystem::path folder_;
  std::vector<Problem> problems_;
  std::vector<PendingCheck> checks_;  ///< of models whose own values are faultless
  std::vector<std::string> paths_;
  int num_errors_ = 0;
};

}  // namespace dashpot
