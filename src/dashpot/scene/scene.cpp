#include "dashpot/scene/scene.hpp"

#include <cmath>
#include <type_traits>

namespace dashpot {
namespace {

using Written = std::optional<JsonValue>;  ///< nothing: the value was never set

template <class T>
concept Section = requires(T& value) {
  T::fields(value, [](const char*, auto&) {});
};
template <class T>
concept Family = requires {
  T::field;
};
template <class T>
struct Holds : std::false_type {};
template <class T>
struct Holds<std::vector<T>> : std::true_type {};
template <class T, std::size_t n>
struct Holds<std::array<T, n>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsOptional<scene::Boxed<T>> : std::true_type {};

template <class T>
Written to_document(const T& value);

template <class T>
void document_of_fields(const T& section, JsonValue& object) {
  T::fields(section, [&](const char* name, const auto& field) {
    if (Written written = to_document(field)) object.add(name, std::move(*written));
  });
}

template <class T>
Written document_of_model(const T& family) {
  JsonValue result = JsonValue::object();
  std::visit(
      [&](const auto& model) {
        using Model = std::remove_cvref_t<decltype(model)>;
        if constexpr (!std::is_same_v<Model, std::monostate>) {
          if (!T::field.empty()) result.add(std::string(T::field), JsonValue::of(Model::model_name));
          document_of_fields(model, T::field.empty() ? result.add(Model::model_name, JsonValue::object()) : result);
        }
      },
      family);
  if (result.members.empty()) return std::nullopt;
  return result;
}

/// A list with an item that is unset is unset.
template <class T>
Written document_of_list(const T& items) {
  JsonValue list = JsonValue::array();
  for (const auto& item : items) {
    Written written = to_document(item);
    if (!written) return std::nullopt;
    list.push(std::move(*written));
  }
  if (list.items.empty()) return std::nullopt;
  return list;
}

template <class T>
Written to_document(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return JsonValue::of(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::isnan(value) ? Written() : JsonValue::of(value);
  } else if constexpr (std::is_same_v<T, int>) {
    return value == scene::unset_integer ? Written() : JsonValue::of(static_cast<double>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.empty() ? Written() : JsonValue::of(value);
  } else if constexpr (std::is_enum_v<T>) {
    return JsonValue::of(names_of(value)[static_cast<std::size_t>(value)]);
  } else if constexpr (std::is_same_v<T, Vec3>) {
    return document_of_list(std::array{value.x(), value.y(), value.z()});
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_document(*value) : Written();
  } else if constexpr (Holds<T>::value) {
    return document_of_list(value);
  } else if constexpr (Family<T>) {
    return document_of_model(value);
  } else {
    static_assert(Section<T>);
    JsonValue object = JsonValue::object();
    document_of_fields(value, object);
    return object;
  }
}

template <class T>
void from_document(const JsonValue& json, T& value);

template <class T>
void take_fields(const JsonValue& object, T& section) {
  T::fields(section, [&](const char* name, auto& field) {
    if (const JsonValue* found = object.find(name)) from_document(*found, field);
  });
}

template <class T, std::size_t... alternatives>
void take_model(const JsonValue& json, T& family, std::index_sequence<alternatives...>) {
  const std::string& name = T::field.empty() ? json.members.front().key : json.find(T::field)->text;
  const JsonValue& parameters = T::field.empty() ? json.members.front().value : json;
  const auto try_one = [&]<class Model>(std::type_identity<Model>) {
    if (name != Model::model_name) return;
    Model model;
    take_fields(parameters, model);
    family = std::move(model);
  };
  (try_one(std::type_identity<std::variant_alternative_t<alternatives + 1, typename T::variant>>()), ...);
}

/// `json` is in normal form: of the right kind, in SI units, models and regions written out.
template <class T>
void from_document(const JsonValue& json, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = json.boolean;
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
    value = static_cast<T>(json.number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = json.text;
  } else if constexpr (std::is_enum_v<T>) {
    const auto names = names_of(value);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (json.text == names[i]) value = static_cast<T>(i);
  } else if constexpr (std::is_same_v<T, Vec3>) {
    for (int axis = 0; axis < 3; ++axis) from_document(json.items[static_cast<std::size_t>(axis)], value[axis]);
  } else if constexpr (IsOptional<T>::value) {
    std::remove_cvref_t<decltype(*value)> inside;
    from_document(json, inside);
    value = std::move(inside);
  } else if constexpr (Holds<T>::value) {
    if constexpr (requires { value.resize(0); }) value.resize(json.items.size());
    for (std::size_t i = 0; i < value.size(); ++i) from_document(json.items[i], value[i]);
  } else if constexpr (Family<T>) {
    take_model(json, value, std::make_index_sequence<std::variant_size_v<typename T::variant> - 1>());
  } else {
    static_assert(Section<T>);
    take_fields(json, value);
  }
}

}  // namespace

CheckedScene check_scene(const scene::Scene& scene, const std::string& folder) {
  return check_scene(*to_document(scene), "scene", folder);
}

CompiledScene compile(const scene::Scene& scene, const std::string& folder) {
  CheckedScene checked = check_scene(scene, folder);
  if (!checked.spec) throw Error(std::move(checked.problems));
  return compile(std::move(*checked.spec));
}

std::string write_scene(const scene::Scene& scene) { return write_json(*to_document(scene)) + "\n"; }

scene::Scene editable(const SceneSpec& spec) {
  scene::Scene scene;
  from_document(spec.document->value, scene);
  return scene;
}

}  // namespace dashpot
