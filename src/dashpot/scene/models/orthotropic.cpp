// A solid with three axes of its own.
#include <Eigen/Geometry>

#include "dashpot/energy/materials.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

/// Columns: the first axis, the second made perpendicular to it, and their cross product.
Mat3 material_axes(const Settings& settings) {
  const auto rows = settings.rows("axes");
  const Vec3 first = Vec3(rows[0].data()).normalized();
  const Vec3 second = Vec3(rows[1].data()) - first * first.dot(Vec3(rows[1].data()));
  Mat3 axes;
  axes << first, second.normalized(), first.cross(second.normalized());
  return axes;
}

void add_orthotropic(const Settings& settings, BodyAssembly& body) {
  const BodyAssembly::Variants variants = body.variants(settings);
  const int n = body.num_tets();
  const auto three = [&](const char* name) {
    return variants.partwise(name, n, [&](const Settings& part) { return part.vec3(name); });
  };
  const OrthotropicParts parts{three("young"), three("poisson"), three("shear"),
                               variants.partwise("axes", n, material_axes)};
  tet_material::add_energy(settings, body, make_orthotropic_parts(body.name(), body.batch(), parts));
}

void check_axes(const Settings& settings, std::vector<Problem>& problems) {
  const auto rows = settings.rows("axes");
  const Vec3 first(rows[0].data()), second(rows[1].data());
  if (first.cross(second).norm() <= 1e-6 * first.norm() * second.norm())
    problems.push_back(
        {settings.place("axes"), "two parallel or zero directions", "material axes 1 and 2, not parallel"});
}

}  // namespace

namespace models {

void orthotropic(Registry& registry) {
  const auto three = [](const char* name, const char* symbol, Quantity quantity, const char* meaning) {
    return parameter::vector3(name, symbol, quantity, meaning).by_region();
  };
  registry.add(
      {Category::material,
       "orthotropic_stvk",
       "St. Venant-Kirchhoff solid with three axes of its own (wood, fibers)",
       "LiBarbic2014",
       tet_material::with_density(
           {three("young", "E\u2081 E\u2082 E\u2083", Quantity::pressure, "Young's moduli along the axes").above(0),
            three("poisson", "\u03bd\u2081\u2082 \u03bd\u2082\u2083 \u03bd\u2083\u2081", Quantity::number,
                  "contraction along the second axis when pulled along the first"),
            three("shear", "G\u2081\u2082 G\u2082\u2083 G\u2083\u2081", Quantity::pressure, "shear moduli").above(0),
            parameter::list("axes", parameter::list_type(parameter::real_type(Quantity::number), 3, 3),
                            "directions 1 and 2 in the rest shape; 3 is their cross product")
                .sized(2, 2)
                .by_region()
                .or_else("[[1, 0, 0], [0, 1, 0]]")}),
       BodyFactory(add_orthotropic),
       "",
       tet_material::with_limits(check_axes),
       {R"({"model": "orthotropic_stvk", "young": ["1 MPa", "1 MPa", "2 MPa"], "poisson": [0.3, 0.3, 0.3],
            "shear": ["400 kPa", "400 kPa", "400 kPa"], "density": 1000})"}});
}

}  // namespace models
}  // namespace dashpot
