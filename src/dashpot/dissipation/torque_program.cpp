// Eq. (14) of [SchmeddingGisslerTeschner2009] with CLP: the correction f_c of least 1-norm for which
// sum (f + f_c) = 0 and sum r x (f + f_c) = 0, split as f_c = f+ - f-, f+, f- >= 0.

#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/torque_free.hpp"

namespace dashpot {
namespace {

constexpr int num_rows = 6;  ///< three torques, three forces

/// Columns of f+ of every point, then of f-, compressed by columns. A force along axis c at r has the torque r x e_c.
struct Columns {
  std::vector<CoinBigIndex> start{0};
  std::vector<int> row;
  std::vector<double> value;

  void add(const Vec3& r, int axis, double sign) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    // r x e_axis = -r[next] e_last + r[last] e_next
    row.insert(row.end(), {next, last, 3 + axis});
    value.insert(value.end(), {sign * r[last], -sign * r[next], sign});
    start.push_back(static_cast<CoinBigIndex>(row.size()));
  }
};

}  // namespace

double solve_torque_program(const PointMasses& points, std::vector<Vec3>& force) {
  const std::size_t n = force.size();
  // In units of the largest force and distance, so that CLP's absolute tolerances mean something.
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : points.position) middle += x / static_cast<double>(n);
  double scale = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    scale = std::max(scale, force[i].norm());
    size = std::max(size, (points.position[i] - middle).norm());
  }
  if (!(scale > 0)) return 0;
  if (!(size > 0)) size = 1;

  Columns columns;
  std::array<double, num_rows> wanted{};
  for (const double sign : {1.0, -1.0})
    for (std::size_t i = 0; i < n; ++i)
      for (int axis = 0; axis < 3; ++axis) columns.add((points.position[i] - middle) / size, axis, sign);
  for (std::size_t k = 0; k < 3 * n; ++k)
    for (CoinBigIndex e = columns.start[k]; e < columns.start[k + 1]; ++e)
      wanted[static_cast<std::size_t>(columns.row[static_cast<std::size_t>(e)])] -=
          columns.value[static_cast<std::size_t>(e)] * force[k / 3][static_cast<int>(k % 3)] / scale;

  const std::vector<double> cost(6 * n, 1.0), zero(6 * n, 0.0);
  const std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> program(Clp_newModel(), Clp_deleteModel);
  Clp_setLogLevel(program.get(), 0);
  Clp_loadProblem(program.get(), static_cast<int>(6 * n), num_rows, columns.start.data(), columns.row.data(),
                  columns.value.data(), zero.data(), nullptr, cost.data(), wanted.data(), wanted.data());
  Clp_setPrimalTolerance(program.get(), 1e-12);
  Clp_setDualTolerance(program.get(), 1e-12);
  if (Clp_dual(program.get(), 0) != 0 || Clp_status(program.get()) != 0)
    throw Error(Problem{"linear program for torque",
                        fmt::format("CLP stopped with status {}", Clp_status(program.get())),
                        "an optimal solution; one exists for every set of finite forces",
                        "use the elimination \"rigid\", which needs no program"});
  const double* solution = Clp_getColSolution(program.get());
  for (std::size_t k = 0; k < 3 * n; ++k)
    force[k / 3][static_cast<int>(k % 3)] += scale * (solution[k] - solution[3 * n + k]);
  return scale * Clp_objectiveValue(program.get());
}

}  // namespace dashpot
