// The air around bodies: drag and wind.
#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/air_drag.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

std::unique_ptr<DissipationTerm> make_air_drag(const Settings& settings, BodyAssembly& body) {
  AirDragOptions options;
  options.density = settings.number("density");
  options.normal = settings.number("normal");
  options.tangential = settings.number("tangential");
  options.wind = settings.vec3("wind");
  options.gust = settings.number("gust");
  options.period = settings.number("period");
  return with_location(settings.place(), [&] {
    std::vector<int> triangles;
    for (const std::array<int, 3>& triangle : boundary_surface(body.mesh()).triangles)
      triangles.insert(triangles.end(), triangle.begin(), triangle.end());
    if (triangles.empty())
      throw Error(Problem{"", fmt::format("air_drag of '{}', which has no surface", body.name()),
                          "a body of tets or triangles", "use ether_drag or point for strands and springs"});
    body.note(fmt::format("air_drag, density {}, wind {:g} {:g} {:g} m/s",
                          describe_quantity(options.density, Quantity::density), options.wind[0], options.wind[1],
                          options.wind[2]));
    return std::make_unique<AirDrag>(
        body.name(), std::make_shared<TriangleBatch>(body.mesh().nodes, triangles, body.first_block()), options);
  });
}

}  // namespace

namespace models {

void air(Registry& registry) {
  registry.add(
      {Category::damping,
       "air_drag",
       "drag of the air on every triangle of the surface, \u00bd\u03c1 A (c_n |u_n| u_n + c_t |u_t| u_t), u against "
       "the wind; not a "
       "property of the material",
       "Batchelor1967",
       {parameter::real("density", "\u03c1", Quantity::density, "of the air").at_least(0).or_else("1.2"),
        parameter::real("normal", "c_n", Quantity::number, "drag coefficient across a triangle")
            .at_least(0)
            .or_else("1"),
        parameter::real("tangential", "c_t", Quantity::number, "along it").at_least(0).or_else("0.02"),
        parameter::vector3("wind", "w", Quantity::velocity, "velocity of the air").or_else("[0, 0, 0]"),
        parameter::real("gust", "", Quantity::ratio, "share of the wind that comes and goes").at_least(0).or_else("0"),
        parameter::real("period", "T", Quantity::time, "of the gusts").above(0).or_else("\"1 s\"")},
       one_damping(make_air_drag),
       "",
       {},
       {R"({"model": "air_drag", "density": 50})"}});
}

}  // namespace models
}  // namespace dashpot
