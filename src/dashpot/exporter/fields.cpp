#include "dashpot/exporter/fields.hpp"

#include "dashpot/mesh/topology.hpp"

namespace dashpot::exporter {

Mesh joined_mesh(const std::vector<Actor>& actors) {
  Mesh mesh = actors.front().mesh;
  for (std::size_t a = 1; a < actors.size(); ++a) mesh = join(mesh, actors[a].mesh);
  return mesh;
}

Fields joined_fields(const Animation& animation, std::size_t frame) {
  Fields fields;
  DataArray velocity{"velocity", 3, {}}, displacement{"displacement", 3, {}}, power{"power", 1, {}},
      body{"body", 1, {}};
  const std::vector<Actor>& actors = animation.actors();
  for (std::size_t a = 0; a < actors.size(); ++a) {
    const Shape shape = animation.shape(actors[a], frame);
    for (std::size_t p = 0; p < shape.points.size(); ++p) {
      const Vec3& v = shape.velocities[p];
      const Vec3 u = shape.points[p] - actors[a].mesh.nodes[p];
      fields.points.push_back(shape.points[p]);
      velocity.values.insert(velocity.values.end(), {v[0], v[1], v[2]});
      displacement.values.insert(displacement.values.end(), {u[0], u[1], u[2]});
      power.values.push_back(shape.power[p]);
      body.values.push_back(static_cast<double>(a));
    }
  }
  fields.arrays = {std::move(velocity), std::move(displacement), std::move(power), std::move(body)};
  return fields;
}

}  // namespace dashpot::exporter
