#include "dashpot/scene/assembly/paint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "dashpot/model/element_batch.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/material_elements.hpp"

namespace dashpot {
namespace {

/// "the mesh 'wet.msh'", or what else it is made from.
std::string mesh_text(const BodyAssembly& body) {
  const ModelSpec& mesh = body.spec().mesh;
  return mesh.name() == "file" ? fmt::format("'{}'", mesh.settings.text("path"))
                               : fmt::format("the mesh of kind {}", mesh.name());
}

[[noreturn]] void no_such_field(const Settings& model, const BodyAssembly& body, const ElementGroup& group) {
  std::vector<std::string> names;
  for (const ElementField& field : group.fields) names.push_back(field.name);
  const std::string near = nearest_name(model.text("painted"), names);
  throw Error(Problem{
      model.place("painted"),
      fmt::format("no field \"{}\" on the {}s of {}", model.text("painted"), to_string(group.kind), mesh_text(body)),
      names.empty() ? std::string("a field of the mesh file, which has none")
                    : fmt::format("one of its fields: {}", fmt::join(names, ", ")),
      !near.empty() ? fmt::format("did you mean \"{}\"?", near)
                    : "fields are $ElementData of a Gmsh file; `dashpot info` lists them"});
}

}  // namespace

std::vector<double> Paint::factors(int num_elements) const {
  if (of_element.empty()) return {};
  std::vector<double> result(static_cast<std::size_t>(num_elements), 1.0);
  std::copy_n(of_element.begin(), std::min(result.size(), of_element.size()), result.begin());
  return result;
}

std::vector<double> Paint::hinge_factors(const ElementBatch& hinges, const BodyAssembly& body) const {
  if (of_element.empty()) return {};
  std::map<std::array<int, 3>, double> of_triangle;
  const ElementGroup& triangles = *body.mesh().group(ElementKind::triangle);
  for (int e = 0; e < triangles.size(); ++e) {
    const int* n = triangles.element(e);
    std::array<int, 3> corners{n[0], n[1], n[2]};
    std::sort(corners.begin(), corners.end());
    of_triangle[corners] = of_element[static_cast<std::size_t>(e)];
  }
  std::vector<double> result(static_cast<std::size_t>(hinges.num_elements()));
  for (int i = 0; i < hinges.num_elements(); ++i) {
    const int* blocks = hinges.blocks(i);
    double mean = 0;
    for (const int corner : {2, 3}) {
      std::array<int, 3> corners{blocks[0], blocks[1], blocks[corner]};
      for (int& block : corners) block -= body.first_block();
      std::sort(corners.begin(), corners.end());
      mean += 0.5 * of_triangle.at(corners);
    }
    result[static_cast<std::size_t>(hinges.original(i))] = mean;
  }
  return result;
}

Paint paint_of(const Settings& model, const BodyAssembly& body) {
  if (!model.has("painted")) return {};
  const ElementGroup* group = body.spec().material ? elements_of(*body.spec().material, body.mesh()) : nullptr;
  if (group == nullptr || dimension(group->kind) < 2)
    throw Error(Problem{model.place("painted"), fmt::format("a field painted on '{}'", body.name()),
                        "a body of tets or of triangles", ""});
  const ElementField* field = group->field(model.text("painted"));
  if (field == nullptr) no_such_field(model, body, *group);
  const auto is_bad = [](double x) { return !(std::isfinite(x) && x >= 0); };
  const auto bad = std::find_if(field->values.begin(), field->values.end(), is_bad);
  if (bad != field->values.end())
    throw Error(Problem{model.place("painted"),
                        fmt::format("field \"{}\" of {} is {} on {} {} and out of range on {} in all", field->name,
                                    mesh_text(body), *bad, to_string(group->kind), bad - field->values.begin(),
                                    std::count_if(field->values.begin(), field->values.end(), is_bad)),
                        "finite numbers >= 0: they multiply the damping", ""});
  return {field->values};
}

Paint paint_of_solid(const Settings& model, const BodyAssembly& body) {
  if (model.has("painted") && body.num_tets() == 0)
    throw Error(Problem{model.place("painted"), fmt::format("a field painted on '{}', which has no tets", body.name()),
                        "a body of tets", "strain_rate can be painted on sheets too"});
  return paint_of(model, body);
}

std::string describe(const Paint& paint, const Settings& model) {
  if (paint.of_element.empty()) return "";
  const auto [low, high] = std::minmax_element(paint.of_element.begin(), paint.of_element.end());
  return fmt::format(", times the field '{}' ({:.4g} to {:.4g})", model.text("painted"), *low, *high);
}

Parameter painted_parameter(const std::string& what) {
  return parameter::text(
             "painted",
             fmt::format("name of a field of the mesh file ($ElementData of a .msh): multiplies {} of each element by "
                         "its value there",
                         what))
      .may_be_absent();
}

}  // namespace dashpot
