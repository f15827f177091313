// The fixed parts of a scene.
#include "dashpot/scene/format/registry_parts.hpp"

namespace dashpot {
namespace {

Parameter time_section() {
  return parameter::object(
      "time",
      {parameter::real("dt", "h", Quantity::time, "time step")
           .above(0)
           .doubt_outside(1e-9, 1, "seconds are meant by a plain number")
           .known_as({"timestep", "step"}),
       parameter::real("end", "T", Quantity::time, "when the run ends").above(0).known_as({"duration", "stop"}),
       parameter::model("stepper", Category::stepper, "how time advances")
           .or_else(R"("bathe")")
           .known_as({"integrator", "method"}),
       parameter::integer("max_halvings", "", "how often a failed step may be halved before the run stops")
           .at_most(20)
           .or_else("6")},
      "time step, end of the run, integrator");
}

Parameter projective_section() {
  return parameter::object(
             "projective",
             {parameter::integer("iterations", "",
                                 "local/global iterations of a stage, all of them taken; 0: iterate to the tolerance")
                  .at_least(0)
                  .at_most(10000)
                  .or_else("10"),
              parameter::real("tolerance", "", Quantity::number, "residual relative to the forces that act")
                  .above(0)
                  .below(1)
                  .or_else("1e-8"),
              parameter::integer("max_iterations", "", "before a step counts as failed, where iterations is 0")
                  .at_least(1)
                  .at_most(1000000)
                  .or_else("2000"),
              parameter::choice("precision", {"double", "single"}, "arithmetic of the projections")
                  .or_else(R"("double")"),
              parameter::choice("acceleration", {"none", "anderson"}, "how iterations are made to converge sooner")
                  .or_else(R"("none")"),
              parameter::integer("window", "", "steps that Anderson acceleration combines")
                  .at_least(1)
                  .at_most(20)
                  .or_else("5"),
              parameter::boolean(
                  "restore_momentum",
                  "give back the angular momentum that unfinished iterations lose; midpoint and backward_euler")
                  .or_else("false"),
              parameter::real(
                  "budget", "", Quantity::time,
                  "time a step (in real time: a frame) may take on this machine, all stages together; iterations end "
                  "early to keep it; 0: no limit")
                  .at_least(0)
                  .or_else("0")},
             "solve stages by projective dynamics instead of Newton's method: a constant matrix, factored once")
      .may_be_absent();
}

Parameter solver_section() {
  return parameter::object(
             "solver",
             {parameter::choice("linear", {"auto", "cholmod", "cg", "lu", "eigen"},
                                "linear solver; auto chooses by size and reuse")
                  .or_else(R"("auto")"),
              parameter::object(
                  "newton",
                  {parameter::integer("max_iterations", "", "iterations before the step counts as failed")
                       .at_least(1)
                       .or_else("20"),
                   parameter::real("tolerance", "", Quantity::number, "residual relative to the forces that act")
                       .above(0)
                       .below(1)
                       .or_else("1e-8"),
                   parameter::integer("fixed_iterations", "",
                                      "take exactly so many iterations (real time); 0: iterate to the tolerance")
                       .or_else("0"),
                   parameter::choice("tangent", {"exact_then_projected", "projected"}, "Hessian that Newton uses")
                       .or_else(R"("exact_then_projected")")},
                  "nonlinear equations of a step")
                  .or_else("{}"),
              parameter::object(
                  "cg",
                  {parameter::real("tolerance", "", Quantity::number, "residual relative to the right-hand side")
                       .above(0)
                       .below(1)
                       .or_else("1e-8"),
                   parameter::integer("max_iterations", "", "per right-hand side").at_least(1).or_else("2000")},
                  "conjugate gradients")
                  .or_else("{}"),
              projective_section()},
             "linear and nonlinear solvers")
      .or_else("{}");
}

Parameter record_section() {
  return parameter::object(
             "record",
             {parameter::real("every", "", Quantity::time, "time between recorded frames; 0: every step")
                  .at_least(0)
                  .or_else("0"),
              parameter::real("checkpoint", "", Quantity::time, "time between checkpoints; 0: only at the end")
                  .at_least(0)
                  .or_else("0"),
              parameter::list(
                  "probes",
                  parameter::object_type(
                      {parameter::text("name", "column name in probes.csv"),
                       parameter::text("body", "whose nodes; may be left out when there is one body").may_be_absent(),
                       parameter::model("where", Category::where, "one node, or several whose mean is recorded")}),
                  "points written at every step")
                  .or_else("[]")},
             "what is written")
      .or_else("{}");
}

Parameter place_section() {
  return parameter::object(
             "place",
             {parameter::real("scale", "", Quantity::number, "applied first").above(0).or_else("1"),
              parameter::vector3("rotate", "", Quantity::angle, "rotation vector (axis times angle), applied second")
                  .or_else("[0, 0, 0]"),
              parameter::vector3("translate", "", Quantity::length, "applied last").or_else("[0, 0, 0]")},
             "where the mesh stands in the world")
      .or_else("{}");
}

Parameter pins() {
  return parameter::list(
             "pins",
             parameter::object_type({parameter::model("where", Category::where, "nodes that are held"),
                                     parameter::list(
                                         "axes",
                                         [] {
                                           ValueType axis;
                                           axis.kind = ValueType::Kind::choice;
                                           axis.choices = {"x", "y", "z"};
                                           return axis;
                                         }(),
                                         "which coordinates are held")
                                         .sized(1, 3)
                                         .or_else(R"(["x", "y", "z"])"),
                                     parameter::model("motion", Category::motion,
                                                      "how the held nodes move: keyframes, a skeleton, a shaking table")
                                         .may_be_absent()}),
             "held nodes")
      .or_else("[]")
      .known_as({"fixed", "constraints", "boundary"});
}

Parameter springs() {
  return parameter::list("springs",
                         parameter::object_type(
                             {parameter::real("stiffness", "k", Quantity::stiffness, "force per elongation").above(0),
                              parameter::list("between", parameter::list_type(parameter::integer_type(0), 2, 2),
                                              "pairs of nodes; left out: every edge of the mesh")
                                  .may_be_absent(),
                              parameter::real("rest_length", "L", Quantity::length, "left out: length in the mesh")
                                  .at_least(0)
                                  .may_be_absent()}),
                         "springs between nodes")
      .or_else("[]");
}

Parameter point_masses() {
  return parameter::list("point_masses",
                         parameter::object_type(
                             {parameter::model("where", Category::where, "which nodes").or_else(R"("all")"),
                              parameter::real("mass", "m", Quantity::mass, "added to each of these nodes").above(0)}),
                         "masses at nodes")
      .or_else("[]");
}

Parameter reduced() {
  return parameter::object(
             "reduced",
             {parameter::integer("modes", "", "vibration modes that the basis holds as they are")
                  .at_least(1)
                  .or_else("20"),
              parameter::integer("size", "r",
                                 "coordinates in all; the others are derivatives of the modes, for large motion")
                  .at_least(1)
                  .at_most(500)
                  .or_else("74"),
              parameter::choice("basis", {"modes", "pod"},
                                "from vibration modes, or principal directions of a recorded run")
                  .or_else(R"("modes")"),
              parameter::text("run", "folder of the run a pod basis is made from, relative to the scene")
                  .or_a_path()
                  .may_be_absent(),
              parameter::boolean("examples",
                                 "whether the shapes of damping examples count among them, so that they are exact")
                  .or_else("true"),
              parameter::boolean("cache",
                                 "keep the polynomials of the energy for the next time ($XDG_CACHE_HOME/dashpot)")
                  .or_else("true")},
             "simulate the body in a subspace, in real time; it must be held by pins")
      .may_be_absent()
      .known_as({"reduction", "subspace", "model_reduction"});
}

ValueType body() {
  return parameter::object_type(
      {parameter::text("name", "appears in columns and messages").may_be_absent(),
       parameter::model("mesh", Category::mesh, "nodes and elements"),
       parameter::choice("elements", {"as_mesh", "tet4", "tet10"}, "order of the tets").or_else(R"("as_mesh")"),
       place_section(),
       parameter::model("material", Category::material, "what the tets, triangles or edges are made of")
           .may_be_absent(),
       parameter::list("damping", parameter::model_type(Category::damping), "all that act, summed").or_else("[]"),
       pins(), springs(), point_masses(),
       parameter::list("loads", parameter::model_type(Category::load), "forces besides gravity")
           .or_else("[]")
           .known_as({"forces"}),
       parameter::model("start", Category::start, "positions and velocities at time zero")
           .or_else(R"({"from": "rest"})")
           .known_as({"initial"}),
       reduced()});
}

Parameter attachments() {
  return parameter::list(
             "attachments",
             parameter::object_type(
                 {parameter::text("body", "whose nodes follow"),
                  parameter::model("where", Category::where, "which of its nodes"),
                  parameter::text("to", "the body they follow"),
                  parameter::real("within", "", Quantity::length, "farther away from it is an error").above(0),
                  parameter::choice("follow", {"point", "node"},
                                    "the nearest point of its elements, or the nearest node")
                      .or_else(R"("point")"),
                  parameter::choice("gap", {"keep", "close"}, "the distance the meshes have at rest: kept, or closed")
                      .or_else(R"("keep")")}),
             "nodes of one body that follow another; no force, no stiffness: they move as one")
      .or_else("[]")
      .known_as({"ties", "glue", "joints"});
}

Parameter contacts() {
  ValueType name;
  name.kind = ValueType::Kind::text;
  return parameter::list(
             "contacts",
             parameter::object_type(
                 {parameter::list(
                      "between", name,
                      "names of two bodies, or of one cloth twice (it touches itself); left out: every pair of bodies")
                      .sized(2, 2)
                      .may_be_absent(),
                  parameter::real("friction", "\u03bc", Quantity::number, "Coulomb friction, force over normal force")
                      .at_least(0)
                      .or_else("0")
                      .doubt_outside(0, 3, "rubber on rubber has about 1"),
                  parameter::real(
                      "slip_speed", "v\u03b5", Quantity::velocity,
                      "below this speed friction fades smoothly: sticking points creep, always slower than this")
                      .above(0)
                      .or_else("0.02"),
                  parameter::real(
                      "stiffness", "k", Quantity::pressure_stiffness,
                      "pressure per overlap; left out: from the softer body's modulus and size, and from weight")
                      .above(0)
                      .may_be_absent(),
                  parameter::real("onset", "w", Quantity::length,
                                  "over which the stiffness rises smoothly; left out: as thickness")
                      .above(0)
                      .may_be_absent(),
                  parameter::real(
                      "thickness", "h", Quantity::length,
                      "distance kept between them; left out: 4 % of the smaller body's volume over surface; cloth on "
                      "cloth: where layers begin to press")
                      .at_least(0)
                      .may_be_absent()}),
             "bodies that touch each other")
      .or_else("[]")
      .known_as({"contact", "collisions", "contact_pairs"});
}

Parameter design_section() {
  const ValueType target = parameter::object_type(
      {parameter::text("example", "name of an example of the body's example_based damping"),
       parameter::real("from", "a", Quantity::number, "amplitude of the release, in units of the example")
           .above(0)
           .or_else("1"),
       parameter::real("left", "b", Quantity::number, "amplitude that remains after one cycle, in units of the example")
           .at_least(0)
           .may_be_absent(),
       parameter::real("lost_per_cycle", "", Quantity::ratio, "or the share of the amplitude lost in one cycle")
           .at_least(0)
           .at_most(1)
           .may_be_absent(),
       parameter::real("settle_within", "t", Quantity::time, "or the time after which it stays within \"band\"")
           .above(0)
           .may_be_absent(),
       parameter::real("band", "", Quantity::ratio, "share of the release that counts as settled")
           .above(0)
           .below(1)
           .or_else("0.05"),
       parameter::file("envelope",
                       "or a CSV file of a measured decay: columns time [s] and amplitude, in units of the example")
           .may_be_absent(),
       parameter::list("knots", parameter::real_type(Quantity::number),
                       "amplitudes where an envelope's gain curve has its knots")
           .sized(1, 12)
           .may_be_absent()});
  return parameter::object(
             "design",
             {parameter::text("body", "whose damping is designed; may be left out when only one has examples")
                  .may_be_absent(),
              parameter::list("targets", target, "what the body shall do, let go in zero gravity from an example")
                  .sized(1, 100),
              parameter::real("tolerance", "", Quantity::ratio, "of what is left, relative")
                  .above(0)
                  .below(1)
                  .or_else("0.01"),
              parameter::integer("max_simulations", "", "for each target and sweep").at_least(2).or_else("15")},
             "targets of 'dashpot design', which finds the gains; a run takes no notice")
      .may_be_absent();
}

Parameter inputs_section() {
  return parameter::list(
             "inputs",
             parameter::object_type(
                 {parameter::text("path", "absolute name of a file"), parameter::text("hash", "of its bytes")}),
             "written by the program into scenes it makes: a file of this name that has other bytes is refused")
      .may_be_absent();
}

}  // namespace

std::vector<Parameter> scene_format() {
  return {parameter::integer("dashpot", "", "version of this format").at_least(1).at_most(1),
          parameter::text("title", "shown in reports").or_else(R"("")"),
          parameter::vector3("gravity", "g", Quantity::acceleration, "acts on every body").or_else("[0, 0, 0]"),
          time_section(),
          solver_section(),
          parameter::list("bodies", body(), "what moves").sized(1, 1000).known_as({"objects"}),
          attachments(),
          parameter::list("colliders", parameter::model_type(Category::collider), "what bodies cannot enter")
              .or_else("[]")
              .known_as({"obstacles", "ground", "collision"}),
          contacts(),
          record_section(),
          design_section(),
          fit_section(),
          inputs_section(),
          parameter::integer("seed", "", "of everything random").or_else("0")};
}

}  // namespace dashpot
