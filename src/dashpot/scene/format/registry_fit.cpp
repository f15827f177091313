// The "fit" section: measurements from which 'dashpot fit' finds a body's elasticity and rest shape.
#include "dashpot/scene/format/registry_parts.hpp"

namespace dashpot {

Parameter fit_section() {
  const ValueType point = parameter::object_type(
      {parameter::real("load", "f", Quantity::force, "total force along \"direction\""),
       parameter::real("displacement", "u", Quantity::length, "of the probe, from the unloaded body"),
       parameter::boolean("held_out", "predicted and compared, but not fitted").or_else("false")});
  const ValueType load_case = parameter::object_type(
      {parameter::text("name", "appears in tables and plots").may_be_absent(),
       parameter::model("where", Category::where, "nodes that share the load equally"),
       parameter::vector3("direction", "", Quantity::number, "of the load; its length does not matter"),
       parameter::model("probe", Category::where, "nodes whose mean displacement was read; left out: those of the load")
           .may_be_absent(),
       parameter::vector3("along", "", Quantity::number, "direction of the ruler; left out: that of the load")
           .may_be_absent(),
       parameter::file("table",
                       "CSV file with the columns load [N] and displacement [m], and held_out (0 or 1) if need be")
           .may_be_absent(),
       parameter::list("points", point, "or the table itself").may_be_absent()});
  return parameter::object(
             "fit",
             {parameter::text("body", "which one; may be left out when there is one body").may_be_absent(),
              parameter::list("cases", load_case,
                              "static load tests, from which the curve of a spline material is found")
                  .or_else("[]"),
              parameter::boolean("rest_shape",
                                 "the mesh is the body sagged under gravity and its loads: find its rest shape")
                  .or_else("false"),
              parameter::integer("knots", "", "of the curve on each side of rest, put where the loads strain the body")
                  .at_least(2)
                  .at_most(12)
                  .or_else("3"),
              parameter::list("tension", parameter::real_type(Quantity::number), "or the stretches > 1 of the knots")
                  .may_be_absent(),
              parameter::list("compression", parameter::real_type(Quantity::number),
                              "or the stretches < 1 of the knots")
                  .may_be_absent(),
              parameter::real(
                  "noise", "", Quantity::ratio,
                  "of a reading, relative: a change of stiffness from knot to knot must explain more than this")
                  .above(0)
                  .below(1)
                  .or_else("0.005"),
              parameter::real("tolerance", "", Quantity::ratio, "of each displacement, relative")
                  .above(0)
                  .below(1)
                  .or_else("0.02")},
             "measurements for 'dashpot fit', which finds elasticity and rest shape; a run takes no notice")
      .may_be_absent();
}

}  // namespace dashpot
