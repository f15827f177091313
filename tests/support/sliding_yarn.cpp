#include "support/sliding_yarn.hpp"

#include <Eigen/Geometry>

namespace dashpot::testing {
namespace {

const std::string body_name = "yarn";

struct YarnInertia final : Inertia {
  SlidingYarnOptions o;
  const BlockPattern* pattern = nullptr;
  explicit YarnInertia(const SlidingYarnOptions& options) : o(options) {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern& p) override { pattern = &p; }
  bool is_constant() const override { return true; }
  bool is_diagonal() const override { return true; }
  double mass(Eigen::Index dof) const { return dof % 5 < 3 ? o.bead_mass : o.slide_mass; }
  void add_force(const Vector&, const Vector&, const Vector& a, Vector& f) const override {
    for (Eigen::Index i = 0; i < a.size(); ++i) f[i] += mass(i) * a[i];
  }
  void add_tangent(const Vector&, const Vector&, const Vector&, double mass_scale, double, double,
                   BlockMatrix& matrix) const override {
    for (int b = 0; b < o.num_beads; ++b)
      for (int c = 0; c < 5; ++c) matrix.view(b, pattern->diagonal_slot(b))(c, c) += mass_scale * mass(c);
  }
  double kinetic_energy(const Vector&, const Vector& v) const override {
    double energy = 0;
    for (Eigen::Index i = 0; i < v.size(); ++i) energy += 0.5 * mass(i) * v[i] * v[i];
    return energy;
  }
  LinearAngular momentum(const Vector& q, const Vector& v) const override {
    LinearAngular total;
    for (int b = 0; b < o.num_beads; ++b) {
      const Vec3 p = o.bead_mass * v.segment<3>(5 * b);
      total.linear += p;
      total.angular += Vec3(q.segment<3>(5 * b)).cross(p);
    }
    return total;
  }
};

struct YarnKinematics final : Kinematics {
  SlidingYarnOptions o;
  explicit YarnKinematics(const SlidingYarnOptions& options) : o(options) {}
  int num_points() const override { return o.num_beads + o.labels * (o.num_beads - 1); }
  bool is_linear(int point) const override { return point < o.num_beads; }

  /// A material point: its segment, and t with its derivatives.
  struct Spot {
    int bead;
    double t, du, ti, tj, tii, tij, tjj;
    Vec3 e;  ///< x_j - x_i
  };
  Spot spot(const double* q, int point) const {
    const int k = point - o.num_beads;
    Spot s{};
    s.bead = k / o.labels;
    const double* i = q + 5 * s.bead;
    const double* j = i + 5;
    const double spacing = (o.to - o.from).norm() / (o.num_beads - 1);
    const double label = spacing * (s.bead + (k % o.labels + 1.0) / (o.labels + 1));
    s.du = j[3] - i[3];
    s.t = (label - i[3]) / s.du;
    s.ti = (s.t - 1) / s.du;
    s.tj = -s.t / s.du;
    s.tii = 2 * (s.t - 1) / (s.du * s.du);
    s.tij = (1 - 2 * s.t) / (s.du * s.du);
    s.tjj = 2 * s.t / (s.du * s.du);
    s.e = Vec3::Map(j) - Vec3::Map(i);
    return s;
  }
  Vec3 point_position(const double* q, int point) const override {
    if (point < o.num_beads) return Vec3::Map(q + 5 * point);
    const Spot s = spot(q, point);
    return Vec3::Map(q + 5 * s.bead) + s.t * s.e;
  }
  void point_jacobian(const double* q, int point, PointJacobian& J) const override {
    if (point < o.num_beads) {
      J.parts.assign(1, {point, 5 * point, 5});
      J.columns.setZero(3, 5);
      J.columns.leftCols<3>().setIdentity();
      return;
    }
    const Spot s = spot(q, point);
    J.parts = {{s.bead, 5 * s.bead, 5}, {s.bead + 1, 5 * s.bead + 5, 5}};
    J.columns.setZero(3, 10);
    J.columns.leftCols<3>() = (1 - s.t) * Mat3::Identity();
    J.columns.middleCols<3>(5) = s.t * Mat3::Identity();
    J.columns.col(3) = s.ti * s.e;
    J.columns.col(8) = s.tj * s.e;
  }
  std::vector<int> point_blocks(int point) const override {
    if (point < o.num_beads) return {point};
    const int bead = (point - o.num_beads) / o.labels;
    return {bead, bead + 1};
  }
  bool point_curvature(const double* q, int point, const Vec3& f, Matrix& H) const override {
    const Spot s = spot(q, point);
    H.setZero(10, 10);
    H(3, 3) = s.tii * f.dot(s.e);
    H(3, 8) = H(8, 3) = s.tij * f.dot(s.e);
    H(8, 8) = s.tjj * f.dot(s.e);
    for (const auto& [column, slope] : {std::pair(3, s.ti), std::pair(8, s.tj)}) {
      H.block<3, 1>(0, column) -= slope * f;
      H.block<3, 1>(5, column) += slope * f;
      H.block<1, 3>(column, 0) -= slope * f.transpose();
      H.block<1, 3>(column, 5) += slope * f.transpose();
    }
    return true;
  }
  using Kinematics::wrench;
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange blocks) const override {
    LinearAngular total;
    const BlockRange beads = blocks.clipped(o.num_beads);
    for (int b = beads.begin; b < beads.end; ++b) {
      const Vec3 force = f.segment<3>(5 * b);
      total.linear += force;
      total.angular += Vec3(q.segment<3>(5 * b)).cross(force);
    }
    return total;
  }
};

/// Stretch of both yarns and springs on labels.
struct YarnElasticity final : EnergyTerm {
  SlidingYarnOptions o;
  Vector rest;
  const BlockPattern* pattern = nullptr;
  YarnElasticity(const SlidingYarnOptions& options, Vector at_rest) : o(options), rest(std::move(at_rest)) {}
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder& p) const override {
    for (int b = 0; b + 1 < o.num_beads; ++b) {
      const int pair[2] = {b, b + 1};
      p.add_group(pair, 2);
    }
  }
  void bind(const BlockPattern& p) override { pattern = &p; }

  /// k/2 (L/d - 1)^2 d of L = |e|, d = du: value, gradient and Hessian in (e, d).
  double segment(const Vec3& e, double d, Eigen::Vector4d& g, Eigen::Matrix4d& H) const {
    const double L = e.norm(), r = L / d - 1;
    const Vec3 n = e / L;
    g << o.stretch * r * n, 0.5 * o.stretch * (1 - L * L / (d * d));
    H.setZero();
    H.topLeftCorner<3, 3>() =
        o.stretch / d * n * n.transpose() + o.stretch * r / L * (Mat3::Identity() - n * n.transpose());
    H.topRightCorner<3, 1>() = -o.stretch * L / (d * d) * n;
    H.bottomLeftCorner<1, 3>() = H.topRightCorner<3, 1>().transpose();
    H(3, 3) = o.stretch * L * L / (d * d * d);
    return 0.5 * o.stretch * r * r * d;
  }

  double evaluate(const EnergyRequest& request) const override {
    double energy = 0;
    for (int b = 0; b + 1 < o.num_beads; ++b)
      for (const int slide : {3, 4}) {
        const int i = 5 * b, j = i + 5;
        Eigen::Vector4d g;
        Eigen::Matrix4d H;
        energy += segment(request.q.segment<3>(j) - request.q.segment<3>(i),
                          request.q[j + slide] - request.q[i + slide], g, H);
        Eigen::Matrix<double, 4, 10> D = Eigen::Matrix<double, 4, 10>::Zero();  // of (e, d) in both blocks
        for (int c = 0; c < 4; ++c) {
          D(c, c < 3 ? c : slide) = -1;
          D(c, 5 + (c < 3 ? c : slide)) = 1;
        }
        if (request.gradient) request.gradient->segment<10>(i) += D.transpose() * g;
        if (!request.hessian) continue;
        const Eigen::Matrix<double, 10, 10> A = request.hessian_scale * D.transpose() * H * D;
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 2; ++c)
            request.hessian->view(b + r, pattern->slot(b + r, b + c)) += A.block<5, 5>(5 * r, 5 * c);
      }
    for (int b = 0; b < o.num_beads; ++b)
      for (const int slide : {3, 4}) {
        const double moved = request.q[5 * b + slide] - rest[5 * b + slide];
        energy += 0.5 * o.hold * moved * moved;
        if (request.gradient) (*request.gradient)[5 * b + slide] += o.hold * moved;
        if (request.hessian)
          request.hessian->view(b, pattern->diagonal_slot(b))(slide, slide) += request.hessian_scale * o.hold;
      }
    return energy;
  }
};

struct YarnGravity final : EnergyTerm {
  SlidingYarnOptions o;
  Vector rest;
  YarnGravity(const SlidingYarnOptions& options, Vector at_rest) : o(options), rest(std::move(at_rest)) {}
  EnergyKind kind() const override { return EnergyKind::gravity; }
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_quadratic() const override { return true; }
  double evaluate(const EnergyRequest& request) const override {
    double energy = 0;
    for (int b = 0; b < o.num_beads; ++b) {
      energy -= o.bead_mass * o.gravity.dot(request.q.segment<3>(5 * b) - rest.segment<3>(5 * b));
      if (request.gradient) request.gradient->segment<3>(5 * b) -= o.bead_mass * o.gravity;
    }
    return energy;
  }
};

struct SlideDamping final : DissipationTerm {
  SlidingYarnOptions o;
  const BlockPattern* pattern = nullptr;
  explicit SlideDamping(const SlidingYarnOptions& options) : o(options) {}
  const std::string& body() const override { return body_name; }
  std::string model() const override { return "sliding"; }
  DissipationTraits traits() const override {
    DissipationTraits traits;
    traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = traits.constant = true;
    return traits;
  }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern& p) override { pattern = &p; }
  double evaluate(const DissipationRequest& request) const override {
    double power = 0;
    for (int b = 0; b < o.num_beads; ++b)
      for (const int slide : {3, 4}) {
        const double rate = request.v[5 * b + slide];
        power += o.slide_damping * rate * rate;
        if (request.force) (*request.force)[5 * b + slide] += o.slide_damping * rate;
        if (request.tangent)
          request.tangent->view(b, pattern->diagonal_slot(b))(slide, slide) += request.dv_scale * o.slide_damping;
      }
    return power;
  }
};

}  // namespace

std::shared_ptr<const System> sliding_yarn(const SlidingYarnOptions& options) {
  Vector rest(5 * options.num_beads);
  const double length = (options.to - options.from).norm();
  for (int b = 0; b < options.num_beads; ++b) {
    const double share = static_cast<double>(b) / (options.num_beads - 1);
    rest.segment<3>(5 * b) = options.from + share * (options.to - options.from);
    rest[5 * b + 3] = rest[5 * b + 4] = share * length;
  }
  SystemBuilder builder(5, rest);
  builder.set_inertia(std::make_unique<YarnInertia>(options));
  builder.set_kinematics(std::make_unique<YarnKinematics>(options));
  builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<YarnElasticity>(options, rest)));
  if (!options.gravity.isZero(0))
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<YarnGravity>(options, rest)));
  if (options.slide_damping > 0) builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<SlideDamping>(options)));
  return builder.build();
}

std::vector<int> material_points(const SlidingYarnOptions& options) {
  std::vector<int> points;
  for (int k = 0; k < options.labels * (options.num_beads - 1); ++k) points.push_back(options.num_beads + k);
  return points;
}

}  // namespace dashpot::testing
