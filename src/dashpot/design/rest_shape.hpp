#pragma once
// Inverse equilibrium: the rest shape X of a body whose pose x under gravity and its own loads is known (a scan of a
// leaf shows the sagged leaf, not the leaf without weight). Sought is X with
//
//     g(x; X) = dPsi/dq (x; X) - f_ext = 0        on the free dofs; held nodes have X = x.
//
// Moving the rest shape by dX changes the force at x as moving the pose by -R dX would, up to strain, R being the
// rotation from rest to pose. The iteration is therefore
//
//     X <- X + R^T K^-1 g(x; X),
//
// with K the tangent at (x; X), accelerated after Anderson. K^-1 g is how far the balance is from the pose, to first
// order, so convergence is asked in meters. Where the weight is too much for one go, it is applied in shares.
// The paper ran "reverse gravity" by hand [XuBarbic2017, sec. 7].
//
// Not every pose has a rest shape (a body too soft to carry itself), and a rest shape's balance may be unstable or not
// the only one: both are said.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot::design {

struct PosedBody {
  std::vector<Vec3> pose;  ///< x [m]
  std::vector<int> tets;   ///< corner nodes, four a tet
  /// The body with this rest shape, its pins where the rest shape has them. May throw dashpot::Error for tets turned
  /// inside out.
  std::function<std::shared_ptr<const System>(const std::vector<Vec3>& rest)> with_rest;
  LinearSolverOptions linear;
};

struct RestShapeOptions {
  std::vector<Vec3> start;       ///< first guess of X; empty: the pose
  double tolerance = 1e-9;       ///< of |K^-1 g| at any node, over the size of the body
  double forward_error = 1e-6;   ///< of |x_eq(X) - x|, over the size: what counts as found
  int max_iterations = 60;       ///< for each share of the load
  double smallest_share = 0.02;  ///< of the load in one go; below it the search gives up
  /// Told after each iteration: number, share of the load, distance from the pose over the size.
  std::function<void(int iteration, double share, double distance)> on_iteration;
  std::function<bool()> should_stop;
};

struct RestShape {
  bool found = false;  ///< X balances the pose, and the body at rest in X sags into it
  bool stopped = false;
  std::vector<Vec3> rest;    ///< X; on failure that of the largest share of the load that was borne
  double share = 0;          ///< of the load for which a rest shape was found
  double size = 0;           ///< diagonal of the pose's box [m]
  double sag = 0;            ///< largest |x - X| [m]
  double distance = 0;       ///< largest |K^-1 g| at the end [m]
  double forward_error = 0;  ///< largest |x_eq(X) - x| [m], solved from rest
  int iterations = 0;
  std::string explanation;  ///< of a failure
};

/// dashpot::Error for a pose that has tets of no or negative volume.
RestShape rest_shape_from_sag(const PosedBody& body, const RestShapeOptions& options);

}  // namespace dashpot::design
