// The fixed parts of a scene.
#include "dashpot/scene/registry_parts.hpp"

namespace dashpot {
namespace {

Parameter time_section() {
  return object("time",
                {real("dt", "h", Quantity::time, "time step")
                     .above(0)
                     .doubt_outside(1e-9, 1, "seconds are meant by a plain number")
                     .known_as({"timestep", "step"}),
                 real("end", "T", Quantity::time, "when the run ends").above(0).known_as({"duration", "stop"}),
                 model("stepper", Category::stepper, "how time advances")
                     .or_else(R"("bathe")")
                     .known_as({"integrator", "method"}),
                 integer("max_halvings", "", "how often a failed step may be halved before the run stops")
                     .at_most(20)
                     .or_else("6")},
                "time step, end of the run, integrator");
}

Parameter projective_section() {
  return object(
             "projective",
             {integer("iterations", "",
                      "local/global iterations of a stage, all of them taken; 0: iterate to the tolerance")
                  .at_least(0)
                  .at_most(10000)
                  .or_else("10"),
              real("tolerance", "", Quantity::number, "residual relative to the forces that act")
                  .above(0)
                  .below(1)
                  .or_else("1e-8"),
              integer("max_iterations", "", "before a step counts as failed, where iterations is 0")
                  .at_least(1)
                  .at_most(1000000)
                  .or_else("2000"),
              choice("precision", {"double", "single"}, "arithmetic of the projections").or_else(R"("double")"),
              choice("acceleration", {"none", "anderson"}, "how iterations are made to converge sooner")
                  .or_else(R"("none")"),
              integer("window", "", "steps that Anderson acceleration combines").at_least(1).at_most(20).or_else("5"),
              boolean("restore_momentum",
                      "give back the angular momentum that unfinished iterations lose; midpoint and backward_euler")
                  .or_else("false"),
              real("budget", "", Quantity::time,
                   "time a step (in real time: a frame) may take on this machine, all stages together; iterations end "
                   "early to keep it; 0: no limit")
                  .at_least(0)
                  .or_else("0")},
             "solve stages by projective dynamics instead of Newton's method: a constant matrix, factored once")
      .may_be_absent();
}

Parameter solver_section() {
  return object("solver",
                {choice("linear", {"auto", "cholmod", "cg", "lu", "eigen"},
                        "linear solver; auto chooses by size and reuse")
                     .or_else(R"("auto")"),
                 object("newton",
                        {integer("max_iterations", "", "iterations before the step counts as failed")
                             .at_least(1)
                             .or_else("20"),
                         real("tolerance", "", Quantity::number, "residual relative to the forces that act")
                             .above(0)
                             .below(1)
                             .or_else("1e-8"),
                         integer("fixed_iterations", "",
                                 "take exactly so many iterations (real time); 0: iterate to the tolerance")
                             .or_else("0"),
                         choice("tangent", {"exact_then_projected", "projected"}, "Hessian that Newton uses")
                             .or_else(R"("exact_then_projected")")},
                        "nonlinear equations of a step")
                     .or_else("{}"),
                 object("cg",
                        {real("tolerance", "", Quantity::number, "residual relative to the right-hand side")
                             .above(0)
                             .below(1)
                             .or_else("1e-8"),
                         integer("max_iterations", "", "per right-hand side").at_least(1).or_else("2000")},
                        "conjugate gradients")
                     .or_else("{}"),
                 projective_section()},
                "linear and nonlinear solvers")
      .or_else("{}");
}

Parameter record_section() {
  return object(
             "record",
             {real("every", "", Quantity::time, "time between recorded frames; 0: every step").at_least(0).or_else("0"),
              real("checkpoint", "", Quantity::time, "time between checkpoints; 0: only at the end")
                  .at_least(0)
                  .or_else("0"),
              list("probes",
                   object_type({text("name", "column name in probes.csv"),
                                text("body", "whose nodes; may be left out when there is one body").may_be_absent(),
                                model("where", Category::where, "one node, or several whose mean is recorded")}),
                   "points written at every step")
                  .or_else("[]")},
             "what is written")
      .or_else("{}");
}

Parameter place_section() {
  return object("place",
                {real("scale", "", Quantity::number, "applied first").above(0).or_else("1"),
                 vector3("rotate", "", Quantity::angle, "rotation vector (axis times angle), applied second")
                     .or_else("[0, 0, 0]"),
                 vector3("translate", "", Quantity::length, "applied last").or_else("[0, 0, 0]")},
                "where the mesh stands in the world")
      .or_else("{}");
}

Parameter pins() {
  return list("pins",
              object_type(
                  {model("where", Category::where, "nodes that are held"),
                   list(
                       "axes",
                       [] {
                         Type axis;
                         axis.kind = Type::Kind::choice;
                         axis.choices = {"x", "y", "z"};
                         return axis;
                       }(),
                       "which coordinates are held")
                       .sized(1, 3)
                       .or_else(R"(["x", "y", "z"])"),
                   model("motion", Category::motion, "how the held nodes move: keyframes, a skeleton, a shaking table")
                       .may_be_absent()}),
              "held nodes")
      .or_else("[]")
      .known_as({"fixed", "constraints", "boundary"});
}

Parameter springs() {
  return list("springs",
              object_type(
                  {real("stiffness", "k", Quantity::stiffness, "force per elongation").above(0),
                   list("between", list_type(integer_type(0), 2, 2), "pairs of nodes; left out: every edge of the mesh")
                       .may_be_absent(),
                   real("rest_length", "L", Quantity::length, "left out: length in the mesh")
                       .at_least(0)
                       .may_be_absent()}),
              "springs between nodes")
      .or_else("[]");
}

Parameter point_masses() {
  return list("point_masses",
              object_type({model("where", Category::where, "which nodes").or_else(R"("all")"),
                           real("mass", "m", Quantity::mass, "added to each of these nodes").above(0)}),
              "masses at nodes")
      .or_else("[]");
}

Parameter reduced() {
  return object("reduced",
                {integer("modes", "", "vibration modes that the basis holds as they are").at_least(1).or_else("20"),
                 integer("size", "r", "coordinates in all; the others are derivatives of the modes, for large motion")
                     .at_least(1)
                     .at_most(500)
                     .or_else("74"),
                 choice("basis", {"modes", "pod"}, "from vibration modes, or principal directions of a recorded run")
                     .or_else(R"("modes")"),
                 text("run", "folder of the run a pod basis is made from, relative to the scene")
                     .or_a_path()
                     .may_be_absent(),
                 boolean("examples", "whether the shapes of damping examples count among them, so that they are exact")
                     .or_else("true"),
                 boolean("cache", "keep the polynomials of the energy for the next time ($XDG_CACHE_HOME/dashpot)")
                     .or_else("true")},
                "simulate the body in a subspace, in real time; it must be held by pins")
      .may_be_absent()
      .known_as({"reduction", "subspace", "model_reduction"});
}

Type body() {
  return object_type(
      {text("name", "appears in columns and messages").may_be_absent(),
       model("mesh", Category::mesh, "nodes and elements"),
       choice("elements", {"as_mesh", "tet4", "tet10"}, "order of the tets").or_else(R"("as_mesh")"), place_section(),
       model("material", Category::material, "what the tets, triangles or edges are made of").may_be_absent(),
       list("damping", model_type(Category::damping), "all that act, summed").or_else("[]"), pins(), springs(),
       point_masses(),
       list("loads", model_type(Category::load), "forces besides gravity").or_else("[]").known_as({"forces"}),
       model("start", Category::start, "positions and velocities at time zero")
           .or_else(R"({"from": "rest"})")
           .known_as({"initial"}),
       reduced()});
}

Parameter attachments() {
  return list("attachments",
              object_type({text("body", "whose nodes follow"), model("where", Category::where, "which of its nodes"),
                           text("to", "the body they follow"),
                           real("within", "", Quantity::length, "farther away from it is an error").above(0),
                           choice("follow", {"point", "node"}, "the nearest point of its elements, or the nearest node")
                               .or_else(R"("point")"),
                           choice("gap", {"keep", "close"}, "the distance the meshes have at rest: kept, or closed")
                               .or_else(R"("keep")")}),
              "nodes of one body that follow another; no force, no stiffness: they move as one")
      .or_else("[]")
      .known_as({"ties", "glue", "joints"});
}

Parameter contacts() {
  Type name;
  name.kind = Type::Kind::text;
  return list("contacts",
              object_type(
                  {list("between", name, "names of two bodies; left out: every pair of bodies")
                       .sized(2, 2)
                       .may_be_absent(),
                   real("friction", "\u03bc", Quantity::number, "Coulomb friction, force over normal force")
                       .at_least(0)
                       .or_else("0")
                       .doubt_outside(0, 3, "rubber on rubber has about 1"),
                   real("slip_speed", "v\u03b5", Quantity::velocity,
                        "below this speed friction fades smoothly: sticking points creep, always slower than this")
                       .above(0)
                       .or_else("0.02"),
                   real("stiffness", "k", Quantity::bedding,
                        "pressure per overlap; left out: from the softer body's modulus and size, and from weight")
                       .above(0)
                       .may_be_absent(),
                   real("onset", "w", Quantity::length,
                        "over which the stiffness rises smoothly; left out: as thickness")
                       .above(0)
                       .may_be_absent(),
                   real("thickness", "h", Quantity::length,
                        "distance kept between them; left out: 4 % of the smaller body's volume over surface")
                       .at_least(0)
                       .may_be_absent()}),
              "bodies that touch each other")
      .or_else("[]")
      .known_as({"contact", "collisions", "contact_pairs"});
}

Parameter design_section() {
  const Type target = object_type(
      {text("example", "name of an example of the body's example_based damping"),
       real("from", "a", Quantity::number, "amplitude of the release, in units of the example").above(0).or_else("1"),
       real("left", "b", Quantity::number, "amplitude that remains after one cycle, in units of the example")
           .at_least(0)
           .may_be_absent(),
       real("lost_per_cycle", "", Quantity::ratio, "or the share of the amplitude lost in one cycle")
           .at_least(0)
           .at_most(1)
           .may_be_absent(),
       real("settle_within", "t", Quantity::time, "or the time after which it stays within \"band\"")
           .above(0)
           .may_be_absent(),
       real("band", "", Quantity::ratio, "share of the release that counts as settled")
           .above(0)
           .below(1)
           .or_else("0.05"),
       file("envelope", "or a CSV file of a measured decay: columns time [s] and amplitude, in units of the example")
           .may_be_absent(),
       list("knots", real_type(Quantity::number), "amplitudes where an envelope's gain curve has its knots")
           .sized(1, 12)
           .may_be_absent()});
  return object(
             "design",
             {text("body", "whose damping is designed; may be left out when only one has examples").may_be_absent(),
              list("targets", target, "what the body shall do, let go in zero gravity from an example").sized(1, 100),
              real("tolerance", "", Quantity::ratio, "of what is left, relative").above(0).below(1).or_else("0.01"),
              integer("max_simulations", "", "for each target and sweep").at_least(2).or_else("15")},
             "targets of 'dashpot design', which finds the gains; a run takes no notice")
      .may_be_absent();
}

Parameter inputs_section() {
  return list("inputs", object_type({text("path", "absolute name of a file"), text("hash", "of its bytes")}),
              "written by the program into scenes it makes: a file of this name that has other bytes is refused")
      .may_be_absent();
}

}  // namespace

std::vector<Parameter> scene_format() {
  return {integer("dashpot", "", "version of this format").at_least(1).at_most(1),
          text("title", "shown in reports").or_else(R"("")"),
          vector3("gravity", "g", Quantity::acceleration, "acts on every body").or_else("[0, 0, 0]"),
          time_section(),
          solver_section(),
          list("bodies", body(), "what moves").sized(1, 1000).known_as({"objects"}),
          attachments(),
          list("colliders", model_type(Category::collider), "what bodies cannot enter")
              .or_else("[]")
              .known_as({"obstacles", "ground", "collision"}),
          contacts(),
          record_section(),
          design_section(),
          fit_section(),
          inputs_section(),
          integer("seed", "", "of everything random").or_else("0")};
}

}  // namespace dashpot
