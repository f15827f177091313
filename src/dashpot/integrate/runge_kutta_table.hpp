#pragma once
// Diagonally implicit Runge-Kutta methods as stage tables. For y' = f(y), y = (q, v), a method with coefficients A has
//     Q_s = q_n + h (A_s,start v_n + sum_j A_sj V_j),      V_s = v_n + h (A_s,start a_n + sum_j A_sj A_j),
// and is stiffly accurate: its last row is its weights b, so that the last stage is the end of the step. Solved for the
// stage displacements d_s = Q_s - q_n,
//     V_s = (d_s / h - A_s,start v_n - sum_{j<s} A_sj V_j) / A_ss,
//     A_s = ((V_s - v_n) / h - A_s,start a_n - sum_{j<s} A_sj A_j) / A_ss.
//
// Work is measured by the method's own weights, W = h sum_i b_i f_i . V_i, i over the start and the stages: what the
// method would compute for the added equation W' = f . v, hence of its order for dampings, loads and reactions. On
// linear systems the integrator's own loss is then
//     (h^2 / 2) sum_ij m_ij (A_i . M A_j + V_i . K V_j),     m_ij = b_i A_ij + b_j A_ji - b_i b_j,
// the matrix of algebraic stability [HairerWanner1996, IV.12].

#include <vector>

#include "dashpot/integrate/stage_table.hpp"

namespace dashpot {

struct ButcherTableau {
  /// Row s holds A_s,start, A_s0, ..., A_ss; A_ss is not zero. The last row is the weights.
  std::vector<std::vector<double>> rows;
};

/// The table of a step of length h [s].
StageTable runge_kutta_table(double h, const ButcherTableau& tableau);

}  // namespace dashpot
