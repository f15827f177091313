// $ElementData of Gmsh's .msh: one number for each element, the same in both versions; its header is text in binary
// files too.
#include <fmt/format.h>

#include <algorithm>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {
namespace {

std::size_t claimed_tags(MshCursor& cursor, std::string_view what) {
  return cursor.raw().claimed(cursor.text_integer(), 2, cursor.remaining(), cursor.place(), what);
}

/// How many of `tags` the field lists; their values, in the order of the tags, NaN where it does not.
std::size_t find_values(const MshField& field, const std::vector<std::int64_t>& tags, std::vector<double>& values) {
  std::size_t found = 0;
  values.assign(tags.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t e = 0; e < tags.size(); ++e) {
    const auto at = std::lower_bound(field.values.begin(), field.values.end(), tags[e],
                                     [](const auto& entry, std::int64_t tag) { return entry.first < tag; });
    if (at == field.values.end() || at->first != tags[e]) continue;
    values[e] = at->second;
    ++found;
  }
  return found;
}

}  // namespace

void read_msh_element_data(MshCursor& cursor, MshBuilder& builder) {
  RawMesh& raw = cursor.raw();
  MshField field;
  field.place = cursor.place();
  const std::size_t num_texts = claimed_tags(cursor, "string tags");
  cursor.end_line();
  for (std::size_t k = 0; k < num_texts; ++k) {
    std::string_view text = cursor.line();
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    if (k == 0) field.name = text;
  }
  if (field.name.empty()) raw.fail(field.place, "$ElementData without a name", "\"name\" as its first string tag");
  for (std::size_t k = claimed_tags(cursor, "real tags"); k > 0; --k) cursor.text_real();  // time
  const std::size_t num_integers = claimed_tags(cursor, "integer tags");
  if (num_integers < 3)
    raw.fail(cursor.place(), fmt::format("{} integer tags", num_integers), "time step, components, elements");
  std::int64_t tags[3] = {0, 0, 0};
  for (std::size_t k = 0; k < num_integers; ++k) {
    const std::int64_t tag = cursor.text_integer();
    if (k < 3) tags[k] = tag;
  }
  if (tags[1] < 1 || tags[1] > 9) raw.fail(cursor.place(), fmt::format("{} components", tags[1]), "1, 3 or 9");
  const auto components = static_cast<std::size_t>(tags[1]);
  const std::size_t count =
      raw.claimed(tags[2], cursor.least_bytes(1, 0, components), cursor.remaining(), cursor.place(), "values");
  if (cursor.is_binary) cursor.end_line();
  field.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t element = cursor.integer();
    field.values.emplace_back(element, cursor.real());
    for (std::size_t c = 1; c < components; ++c) cursor.real();
  }
  cursor.expect_end("ElementData");
  if (components == 1)
    builder.add_field(std::move(field));
  else
    raw.warn(fmt::format("field '{}' has {} components and is not read", field.name, components),
             "one number for each element can be painted");
}

void MshBuilder::add_field(MshField field) {
  std::sort(field.values.begin(), field.values.end());
  for (std::size_t i = 1; i < field.values.size(); ++i)
    if (field.values[i].first == field.values[i - 1].first)
      raw_.problem(field.place, fmt::format("field '{}' gives element {} twice", field.name, field.values[i].first),
                   "each element once");
  const auto same =
      std::find_if(fields_.begin(), fields_.end(), [&](const MshField& f) { return f.name == field.name; });
  if (same == fields_.end()) {
    fields_.push_back(std::move(field));
    return;
  }
  raw_.warn(fmt::format("field '{}' is given for several time steps; the last is taken", field.name),
            "save the one that is meant");
  *same = std::move(field);
}

void MshBuilder::paint() {
  std::vector<double> values;
  for (const MshField& field : fields_) {
    std::size_t num_used = 0;
    for (const auto& [number, block] : blocks_) {
      const std::size_t found = find_values(field, block.tags, values);
      num_used += found;
      if (!block.is_kept || found == 0) continue;  // a field of the skin alone is none of the tets
      if (found < values.size())
        raw_.problem(field.place,
                     fmt::format("field '{}' has no value for {} of {} {}s", field.name, values.size() - found,
                                 values.size(), msh_element_type(number)->name),
                     "one for each of them", "save the field of the whole mesh");
      raw_.mesh.group_or_new(msh_element_kind(number)).fields.push_back({field.name, values});
    }
    if (num_used < field.values.size())
      raw_.problem(field.place,
                   fmt::format("field '{}' gives {} elements that the file does not define", field.name,
                               field.values.size() - num_used),
                   "elements of $Elements");
  }
}

}  // namespace dashpot
