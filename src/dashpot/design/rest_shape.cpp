#include "dashpot/design/rest_shape.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <deque>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/static_solver.hpp"

namespace dashpot::design {
namespace {

Vector flat(const std::vector<Vec3>& nodes) {
  Vector q(static_cast<Eigen::Index>(3 * nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) q.segment<3>(static_cast<Eigen::Index>(3 * i)) = nodes[i];
  return q;
}
std::vector<Vec3> nodes_of(const Vector& q) {
  std::vector<Vec3> nodes;
  for (Eigen::Index i = 0; i + 2 < q.size(); i += 3) nodes.emplace_back(q[i], q[i + 1], q[i + 2]);
  return nodes;
}
double largest_node(const Vector& d) {
  double largest = 0;
  for (Eigen::Index i = 0; i + 2 < d.size(); i += 3) largest = std::max(largest, d.segment<3>(i).norm());
  return largest;
}

Mat3 edges_of(const Vector& q, const int* tet) {
  Mat3 D;
  for (int c = 0; c < 3; ++c) D.col(c) = q.segment<3>(3 * tet[c + 1]) - q.segment<3>(3 * tet[0]);
  return D;
}

/// The rotation from rest to pose at each node: nearest to the volume-weighted mean of F in the tets around it.
std::vector<Mat3> node_rotations(const std::vector<int>& tets, const Vector& X, const Vector& x) {
  std::vector<Mat3> R(static_cast<std::size_t>(X.size() / 3), Mat3::Zero());
  for (std::size_t t = 0; t + 3 < tets.size(); t += 4) {
    const Mat3 D = edges_of(X, &tets[t]);
    const Mat3 F = edges_of(x, &tets[t]) * D.inverse() * std::abs(D.determinant());
    for (std::size_t a = 0; a < 4; ++a) R[static_cast<std::size_t>(tets[t + a])] += F;
  }
  for (Mat3& A : R) {
    if (A.isZero(0)) {  // mid-edge nodes and nodes of no tet: their own direction will do
      A.setIdentity();
      continue;
    }
    const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vec3 sign = Vec3::Ones();
    sign[2] = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    A = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  }
  return R;
}

/// Everything that pulls besides elasticity, as a force: it is constant where it is gravity and dead loads.
Vector load_of(const System& system, const Vector& q) {
  Vector force = Vector::Zero(q.size()), pull = force;
  system.add_external_force(0, force);
  for (const auto& term : system.energies())
    if (term->kind() == EnergyKind::gravity) term->evaluate({.q = q, .gradient = &pull});
  return force - pull;
}

class RestShapeSearch {
 public:
  RestShapeSearch(const PosedBody& body, const RestShapeOptions& options, RestShape& result)
      : body_(body), options_(options), result_(result), x_(flat(body.pose)) {}

  /// Goes from `X` to the rest shape of a share of the load; false: it does not get there, and X is as before.
  bool reach(double share, Vector& X) {
    Vector at = X, d;
    double distance = 0;
    if (!correction(at, share, d, distance)) return false;
    std::deque<Vector> shapes, corrections;
    double best = distance;
    for (int i = 0; i < options_.max_iterations; ++i) {
      if (distance <= options_.tolerance * result_.size) break;
      if (stopped() || distance > 20 * best) return false;
      shapes.push_back(at);
      corrections.push_back(d);
      if (shapes.size() > 8) shapes.pop_front(), corrections.pop_front();
      const Vector step = accelerated(shapes, corrections) - at;
      bool moved = false;
      for (double length = 1; length > 0.05 && !moved; length /= 2) {
        const Vector trial = at + length * (length == 1 ? step : d);
        Vector next;
        double next_distance = 0;
        if (!correction(trial, share, next, next_distance) || next_distance > 2 * distance) continue;
        at = trial;
        d = next;
        distance = next_distance;
        moved = true;
      }
      ++result_.iterations;
      if (options_.on_iteration) options_.on_iteration(result_.iterations, share, distance / result_.size);
      // Round-off ends what the tolerance would not.
      if (!moved && distance <= 0.01 * options_.forward_error * result_.size) break;
      if (!moved) return false;
      best = std::min(best, distance);
    }
    if (distance > 0.1 * options_.forward_error * result_.size) return false;
    X = at;
    result_.distance = distance;
    result_.share = share;
    return true;
  }

  bool stopped() {
    result_.stopped = result_.stopped || (options_.should_stop && options_.should_stop());
    return result_.stopped;
  }

 private:
  /// d = R^T K^-1 g and the distance |K^-1 g|; false where the rest shape is none or nothing is stiff.
  bool correction(const Vector& X, double share, Vector& d, double& distance) const {
    std::shared_ptr<const System> system;
    for (std::size_t t = 0; t + 3 < body_.tets.size(); t += 4)
      if (!(edges_of(X, &body_.tets[t]).determinant() > 0)) return false;
    try {
      system = body_.with_rest(nodes_of(X));
    } catch (const Error&) {
      return false;
    }
    BlockMatrix K(system->pattern());
    DynamicBlocks couplings;
    Vector g = Vector::Zero(x_.size());
    const auto solver = make_linear_solver(body_.linear, system->num_dofs(), false, true);
    solver->analyze(system->pattern(), system->is_free());
    bool factored = false;
    for (const Projection projection : {Projection::none, Projection::positive_semidefinite}) {
      if (factored) break;
      g.setZero();
      K.set_zero();
      couplings.clear(*system->pattern());
      EnergyRequest request{x_};
      request.gradient = &g;
      request.hessian = &K;
      request.projection = projection;
      request.couplings = &couplings;
      for (const auto& term : system->energies()) term->evaluate(request);
      couplings.finish();
      factored = solver->factorize_coupled(K, couplings) == SolveStatus::ok;
    }
    Vector load = load_of(*system, x_);
    Vector external = Vector::Zero(x_.size());
    system->add_external_force(0, external);
    g += (1 - share) * load - external;  // gravity is in g already
    system->reduce(g);
    Vector moved = Vector::Zero(x_.size());
    if (!factored || solver->solve(g, moved).status != SolveStatus::ok || !moved.allFinite()) return false;
    distance = largest_node(moved);
    const std::vector<Mat3> R = node_rotations(body_.tets, X, x_);
    d.resize(moved.size());
    for (std::size_t i = 0; i < R.size(); ++i) {
      const Eigen::Index at = static_cast<Eigen::Index>(3 * i);
      d.segment<3>(at) = R[i].transpose() * moved.segment<3>(at);
    }
    for (Eigen::Index i = 0; i < d.size(); ++i)
      if (system->is_free()[static_cast<std::size_t>(i)] == 0) d[i] = 0;
    return true;
  }

  /// Anderson: the mix of past shapes whose corrections cancel best, corrected.
  static Vector accelerated(const std::deque<Vector>& shapes, const std::deque<Vector>& corrections) {
    const Eigen::Index m = static_cast<Eigen::Index>(shapes.size()) - 1;
    Vector result = shapes.back() + corrections.back();
    if (m < 1) return result;
    Matrix dX(result.size(), m), dD(result.size(), m);
    for (Eigen::Index k = 0; k < m; ++k) {
      const std::size_t i = static_cast<std::size_t>(k);
      dX.col(k) = shapes[i + 1] - shapes[i];
      dD.col(k) = corrections[i + 1] - corrections[i];
    }
    const Eigen::ColPivHouseholderQR<Matrix> qr(dD);
    return result - (dX + dD) * qr.solve(corrections.back());
  }

  const PosedBody& body_;
  const RestShapeOptions& options_;
  RestShape& result_;
  const Vector x_;
};

void check_pose(const PosedBody& body) {
  const Vector x = flat(body.pose);
  int flat_tets = 0;
  for (std::size_t t = 0; t + 3 < body.tets.size(); t += 4)
    flat_tets += edges_of(x, &body.tets[t]).determinant() > 0 ? 0 : 1;
  if (flat_tets > 0)
    throw Error(Problem{"pose", fmt::format("{} tets of zero or negative volume", flat_tets),
                        "a pose in which every tet is the right way out"});
}

/// Lets the body sag from X, in one go or in eight, and compares with the pose.
void check_forward(const PosedBody& body, const Vector& X, const RestShapeOptions& options, RestShape& result) {
  const std::shared_ptr<const System> system = body.with_rest(nodes_of(X));
  const Vector x = flat(body.pose), load = load_of(*system, x);
  StaticOptions statics;
  statics.linear = body.linear;
  statics.tolerance = 1e-11;
  if (options.should_stop) statics.on_iteration = [&](int, double) { return !options.should_stop(); };
  result.forward_error = std::numeric_limits<double>::infinity();
  std::string why;
  for (const int steps : {1, 8}) {
    State state = system->initial_state();
    bool converged = true;
    for (int i = 1; i <= steps && converged; ++i) {
      const StaticReport report = solve_static(*system, state, load * (static_cast<double>(i) / steps - 1), statics);
      converged = report.converged;
      why = report.explanation;
    }
    if (converged) result.forward_error = std::min(result.forward_error, largest_node(state.q - x));
    if (result.forward_error <= options.forward_error * result.size) break;
  }
  result.found = result.forward_error <= options.forward_error * result.size;
  if (result.found) return;
  result.explanation =
      std::isfinite(result.forward_error)
          ? fmt::format(
                "the pose balances the rest shape found, but let go at rest the body sags into another balance, "
                "{:.3g} m away: it buckles",
                result.forward_error)
          : fmt::format("the pose balances the rest shape found, but let go at rest the body does not find it: {}",
                        why);
}

}  // namespace

RestShape rest_shape_from_sag(const PosedBody& body, const RestShapeOptions& options) {
  check_pose(body);
  RestShape result;
  Vec3 low = body.pose.front(), high = low;
  for (const Vec3& p : body.pose) low = low.cwiseMin(p), high = high.cwiseMax(p);
  result.size = (high - low).norm();
  RestShapeSearch search(body, options, result);
  Vector X = flat(options.start.empty() ? body.pose : options.start);
  bool whole = search.reach(1, X);
  if (!whole) {
    X = flat(body.pose);
    double done = 0, step = 0.5;
    while (done < 1 && step >= options.smallest_share && !search.stopped()) {
      const double share = std::min(1.0, done + step);
      if (search.reach(share, X))
        done = share, step *= 1.5;
      else
        step /= 2;
    }
    result.share = done;
    whole = done >= 1;
  }
  result.rest = nodes_of(X);
  result.sag = largest_node(flat(body.pose) - X);
  if (result.stopped) return result;
  if (whole)
    check_forward(body, X, options, result);
  else
    result.explanation = fmt::format(
        "no rest shape: the material is too soft for this pose. One was found for {:.0f} % of the load, {:.3g} m from "
        "the pose; beyond it tets collapse or nothing balances. Raise the stiffness or lower the density",
        100 * result.share, result.sag);
  return result;
}

}  // namespace dashpot::design
