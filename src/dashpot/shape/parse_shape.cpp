#include <fmt/format.h>

#include <algorithm>

#include "dashpot/shape/empty_body.hpp"
#include "dashpot/shape/node_reader.hpp"
#include "dashpot/shape/sheet_reader.hpp"

namespace dashpot {
namespace {

using JsonKind = JsonValue::Kind;
constexpr std::size_t max_file_size = 1 << 20;

void read_sets(ValueReader& values, NodeReader& nodes, const JsonValue& regions, Shape& shape) {
  if (!regions.is(JsonKind::object)) {
    values.problem(regions, "regions is " + describe(regions.kind), R"(an object: {"belly": {node}})");
    return;
  }
  for (const JsonMember& member : regions.members) {
    if (std::find(shape.regions.begin(), shape.regions.end(), member.key) != shape.regions.end())
      values.problem(member.value, fmt::format("\"{}\" is also the region of a node", member.key.substr(0, 40)),
                     "another name");
    if (member.key.empty() || member.key.size() > 64)
      values.problem(member.value, "a region's name of " + std::to_string(member.key.size()) + " characters",
                     "1 to 64 characters");
    shape.sets.emplace_back(member.key, nodes.read(member.value));
  }
}

/// The nodes of a list; a single node is a list of one.
std::vector<int> read_list(ValueReader& values, NodeReader& nodes, const JsonValue& list, const std::string& what) {
  std::vector<int> result;
  if (list.is(JsonKind::object)) return {nodes.read(list)};
  if (!list.is(JsonKind::array)) values.problem(list, what + " is " + describe(list.kind), "a list of nodes");
  for (const JsonValue& item : list.items) result.push_back(nodes.read(item));
  return result;
}

void read_shell(ValueReader& values, NodeReader& nodes, const JsonValue& shell, Shape& shape) {
  if (shell.is(JsonKind::boolean)) {
    shape.is_shell = shell.boolean;
    return;
  }
  shape.is_shell = true;
  ObjectReader object(values, shell, "\"shell\"");
  if (const JsonValue* open = object.find("open")) shape.open = read_list(values, nodes, *open, "open");
  object.finish();
}

/// Neither endless nor empty. Also fixes the width over which a sheet's waves grow.
void check_extent(ValueReader& values, const JsonValue& at, Shape& shape) {
  if (shape.sheet && shape.sheet->node < 0) {
    double width = 0;
    for (const Eigen::Vector2d& p : shape.sheet->outline) width = std::max(width, std::abs(p.x()));
    shape.sheet->bend.half_width = std::max(width, 1e-6);
    return;
  }
  const FieldBounds bounds = shape.field.bounds(shape.sheet ? shape.sheet->node : shape.root);
  if (bounds.is_infinite)
    values.problem(at, "a body without end", "a bounded body",
                   "intersect the plane with a box, or subtract it from a body");
  else if (bounds.is_empty || !bounds.low.allFinite() || !bounds.high.allFinite())
    values.problems.push_back(
        empty_body_problem(shape.field, shape.sheet ? shape.sheet->node : shape.root, shape.file));
  else if (shape.sheet)
    shape.sheet->bend.half_width = std::max({std::abs(bounds.low.x()), std::abs(bounds.high.x()), 1e-6});
}

void read_document(ValueReader& values, const JsonValue& document, Shape& shape) {
  ObjectReader object(values, document, "the shape file");
  if (!document.is(JsonKind::object)) return;
  if (const JsonValue* format = object.need("dashpot_shape", "1, the version of the format");
      format != nullptr && format->number != 1)
    values.problem(*format, "a shape file of another version", "\"dashpot_shape\": 1");
  if (const JsonValue* title = object.find("title")) values.text(*title, "title", shape.title);
  if (const JsonValue* text = object.find("description")) values.text(*text, "description", shape.description);
  if (const JsonValue* camera = object.find("camera")) values.direction(*camera, "camera", shape.camera);
  NodeReader nodes(values, shape);
  if (const JsonValue* define = object.find("define")) nodes.define(*define);
  const JsonValue *solid = object.find("shape"), *sheet = object.find("sheet"), *shell = object.find("shell");
  if (solid != nullptr) shape.root = nodes.read(*solid);
  if (sheet != nullptr) shape.sheet = read_sheet(values, nodes, *sheet);
  if (shell != nullptr) read_shell(values, nodes, *shell, shape);
  if (shell != nullptr && solid == nullptr)
    values.problem(*shell, "a shell without a \"shape\"", "the solid whose surface it is");
  if ((solid == nullptr) == (sheet == nullptr))
    values.problem(document, solid == nullptr ? "neither \"shape\" nor \"sheet\"" : "both \"shape\" and \"sheet\"",
                   "\"shape\": {node} for a solid, or \"sheet\": {...} for a thin thing");
  if (const JsonValue* paint = object.find("paint")) shape.paint = read_list(values, nodes, *paint, "paint");
  if (const JsonValue* regions = object.find("regions")) read_sets(values, nodes, *regions, shape);
  nodes.read_definitions();
  object.finish();
  if (values.has_errors()) return;
  shape.field.finish();
  check_extent(values, solid != nullptr ? *solid : *sheet, shape);
}

}  // namespace

ParsedShape parse_shape(std::string_view text, const std::string& file) {
  ParsedShape result;
  result.shape.file = file;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    result.problems.push_back({file, "the file is empty", R"({"dashpot_shape": 1, "shape": {...}})",
                               "'dashpot mesh koala --source' prints one to start from"});
    return result;
  }
  if (text.size() > max_file_size) {
    result.problems.push_back(
        {file, fmt::format("a shape file of {} bytes", text.size()), fmt::format("at most {}", max_file_size)});
    return result;
  }
  ParsedJson json = parse_json(text, file);
  ValueReader values{file, std::move(json.problems)};
  if (!values.has_errors()) read_document(values, json.value, result.shape);
  result.problems = std::move(values.problems);
  return result;
}

}  // namespace dashpot
