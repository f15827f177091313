#pragma once
// A static loading test: a body is loaded in steps, and at each the displacement of a probe is read. Displacements
// count from the balance without the load (gravity and the body's own loads act in both), as one reads them from a
// ruler in a laboratory.
//
// With g(q; theta) = 0 the balance of a load, the displacement u = c . (q - q_0) depends on the material by the
// implicit function theorem [BonetWood2008]:
//
//     du/dtheta_j = -lambda . dg/dtheta_j (q) + lambda_0 . dg/dtheta_j (q_0),     K lambda = c,
//
// Where the unloaded pose x is known (a scan, from which the rest shape is sought too), it is kept for every material
// by a force g(x; theta), which vanishes once the rest shape fits; then q_0 = x and lambda_0 = lambda.
//
// One solve a load, and one pass over the elements for each parameter (dg/dtheta_j by central differences of forces).

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/design/elastic_curve.hpp"
#include "dashpot/integrate/static_solver.hpp"

namespace dashpot::design {

struct LoadPoint {
  double load = 0;          ///< [N]
  double displacement = 0;  ///< measured [m]
  bool held_out = false;    ///< predicted, not fitted
};

struct LoadCase {
  std::string name;
  Vector pattern;  ///< force per newton of load, size num_dofs
  Vector probe;    ///< c: displacement = c . (q - q_0), size num_dofs
  std::vector<LoadPoint> points;
};

/// Reads a table: columns "load" [N] and "displacement" [m] (units such as mN, g of weight, mm in the header are
/// understood), and, where some are not to be fitted, "held_out" (0 or 1). Throws dashpot::Error.
std::vector<LoadPoint> read_load_table(const std::string& path);

/// A body whose spline material can be exchanged.
struct TestedBody {
  std::string name;
  std::shared_ptr<TetBatch> batch;  ///< of the System's elasticity
  std::function<std::shared_ptr<const System>(const ElasticPoints&)> with_material;
  LinearSolverOptions linear;
  Vector unloaded;  ///< the pose without load [m] where it is known; empty: solved for
};

/// Principal stretches that matter in a body: of all squared strain times volume, 2 % of each side lies beyond.
struct StretchRange {
  double low = 1, high = 1;
};

class LoadTest {
 public:
  /// Throws dashpot::Error for tables that make no sense, all problems at once.
  LoadTest(TestedBody body, std::vector<LoadCase> cases);

  const std::vector<LoadCase>& cases() const { return cases_; }
  int num_points() const { return num_points_; }

  struct Answer {
    bool found = false;
    std::string explanation;  ///< which load has no balance, and why
    Vector displacement;      ///< [m], case by case in the order of the points
  };
  /// Balances under all loads. Each solve starts from the balance found for the last material that worked.
  Answer solve(const ElasticPoints& material);
  /// d displacement / d theta at the balances of the last solve(), which must have been found with theta; num_points x
  /// num_parameters.
  Matrix sensitivities(const ElasticCurve& curve, const Vector& theta) const;
  /// Stretches over all loads of the last solve().
  StretchRange stretches() const;
  /// Balance under a load of a case after the last solve(), by number of the point; -1: without load.
  const Vector& balance(int point) const { return point < 0 ? unloaded_ : loaded_[static_cast<std::size_t>(point)]; }
  /// Asked during balances; true ends solve() with found = false.
  std::function<bool()> should_stop;

 private:
  bool find_unloaded(const System& system, Vector& q, std::string& why) const;
  bool balance_at(const System& system, const Vector& force, Vector& q, std::string& why) const;

  TestedBody body_;
  std::vector<LoadCase> cases_;
  int num_points_ = 0;
  std::shared_ptr<const System> system_;  ///< of the last solve
  Vector unloaded_;                       ///< q_0
  std::vector<Vector> loaded_;            ///< q of each point
};

}  // namespace dashpot::design
