#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

std::vector<Parameter> with_velocity(std::vector<Parameter> parameters) {
  parameters.push_back(vector3("velocity", "v", Quantity::velocity, "added to every node").or_else("[0, 0, 0]"));
  parameters.push_back(
      vector3("angular_velocity", "\u03c9", Quantity::angular_velocity, "spin about the centre of mass")
          .or_else("[0, 0, 0]"));
  return parameters;
}

}  // namespace

void add_starts(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, std::vector<Parameter> parameters) {
    registry.add({Category::start, name, meaning, "", with_velocity(std::move(parameters)), {}});
  };
  add("rest", "the shape of the mesh", {});
  add("equilibrium", "static balance of elasticity, gravity and the loads given here, which are let go at time zero",
      {list("loads", model_type(Category::load), "act only before time zero, at their value there").or_else("[]"),
       boolean("gravity", "whether gravity acts in the balance").or_else("true"),
       boolean("lasting_loads", "whether the body's own loads (at time zero) act in the balance").or_else("false")});
  add("pose", "node positions from a file, in the mesh's order",
      {file("file", "mesh file with the same nodes, or lines of x y z")});
  add("formula", "displacement as a formula of the rest position X, Y, Z [m]",
      {text("x", "for example \"0.1*X^2\"").or_else(R"("0")"), text("y", "displacement along y").or_else(R"("0")"),
       text("z", "displacement along z").or_else(R"("0")")});
  add("mode", "rest plus a vibration mode",
      {integer("mode", "", "number, from 1, rigid motions not counted").at_least(1).or_else("1"),
       real("amplitude", "A", Quantity::length, "largest displacement of a node")});
}

}  // namespace dashpot
