#pragma once
// Takes net force and net torque out of a set of forces on points, so that they leave linear and angular momentum
// alone: damping forces, constraint forces, forces of a user [SchmeddingGisslerTeschner2009, 3.3]. With
// r_i = x_i - x_cm, M = sum m_i and n = x_e/|x_e| for an edge e = (i, j):
//
//   rigid         f_i - m_i (F/M + w x r_i),  F = sum f,  I w = sum r x f: the nearest forces in the norm of M^-1
//   center        p_i - (m_i/M) sum p,  p_i = (f_i . r_i) r_i/|r_i|^2: along the lines to the center of mass
//   edges         c sum over the edges at i of ((f_i - f_j) . n) n
//   reduced_mass  c sum over the edges at i of mu ((f_i/m_i - f_j/m_j) . n) n,  mu = m_i m_j/(m_i + m_j)
//
// Forces on edges can exceed what they stand for; the factor c bounds them. Given velocities v and a duration h,
//   c* = -(f . v)/(h f . M^-1 f),  or 0 where f . v >= 0,
// is where the kinetic energy is least, and c = min(1, c*) can only lower it (edges: also min_i |f_i|/|f_edges,i|).
// Without velocities c is the factor that comes nearest to the given forces in the norm of M^-1.
//
// Forms that can ADD kinetic energy when the forces are damping forces, kept to compare:
//   unsafe_edges_printed   edges with c = min_i |f_edges,i|/|f_i|, eq. (10) as printed
//   unsafe_edges_inverted  edges with c = min(1, min_i |f_i|/|f_edges,i|)
//   unsafe_centroid        center, about the mean of the points and with weights 1/n instead of m_i/M
//   unsafe_linear_program  f + the correction of least 1-norm, eq. (14): depends on the frame
//
// Points without mass get no force. Points at the center (r = 0), edges of no length and edges to massless points are
// left out. Points on one line: no spin about that line is assumed.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

enum class TorqueElimination {
  none,  ///< forces as they are
  rigid,
  center,
  edges,
  reduced_mass,
  unsafe_edges_printed,
  unsafe_edges_inverted,
  unsafe_centroid,
  unsafe_linear_program
};
inline constexpr std::array all_torque_eliminations{
    TorqueElimination::none,
    TorqueElimination::rigid,
    TorqueElimination::center,
    TorqueElimination::edges,
    TorqueElimination::reduced_mass,
    TorqueElimination::unsafe_edges_printed,
    TorqueElimination::unsafe_edges_inverted,
    TorqueElimination::unsafe_centroid,
    TorqueElimination::unsafe_linear_program,
};
std::string to_string(TorqueElimination elimination);
/// False: kinetic energy may grow.
bool is_safe(TorqueElimination elimination);
bool needs_edges(TorqueElimination elimination);

using Edge = std::array<int, 2>;

/// Where forces act. All of one length, except edges.
struct PointMasses {
  std::span<const double> mass;    ///< [kg]
  std::span<const Vec3> position;  ///< [m]
  std::span<const Edge> edges;     ///< pairs of points; only for forms that need them
};
/// What the forces act on, for the factor c*.
struct StruckVelocities {
  std::span<const Vec3> velocity;  ///< before the forces act [m/s]
  double duration = 0;             ///< h: the forces change v_i by h f_i/m_i [s]
};

/// Replaces `force` by forces of no net force and torque, and returns the factor c (1 where there is none).
/// `none` returns them unchanged. dashpot::Error when the linear program cannot be solved.
double make_torque_free(TorqueElimination elimination, const PointMasses& points, const StruckVelocities* motion,
                        std::vector<Vec3>& force);

/// sum of |correction|_1 of the linear program, eq. (14): its objective [N]; `force` is corrected.
double solve_torque_program(const PointMasses& points, std::vector<Vec3>& force);

}  // namespace dashpot
