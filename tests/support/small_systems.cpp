#include "support/small_systems.hpp"

#include <cmath>
#include <numeric>

namespace dashpot::testing {
namespace {

const std::string body_name = "body";

void couple_all(PatternBuilder& pattern, int num_blocks) {
  std::vector<int> blocks(static_cast<std::size_t>(num_blocks));
  std::iota(blocks.begin(), blocks.end(), 0);
  pattern.add_group(blocks.data(), num_blocks);
}

/// matrix += scale * dense, blocks of any size.
void add_dense(const Matrix& dense, double scale, BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  const int b = pattern.block_size();
  for (int i = 0; i < dense.rows(); ++i)
    for (int j = 0; j < dense.cols(); ++j)
      matrix.block(pattern.slot(i / b, j / b))[(j % b) * b + i % b] += scale * dense(i, j);
}

struct NoKinematics final : Kinematics {
  int num_points() const override { return 0; }
  Vec3 point_position(const double*, int) const override { return Vec3::Zero(); }
  void point_jacobian(const double*, int, PointJacobian&) const override {}
  std::vector<int> point_blocks(int) const override { return {}; }
  LinearAngular wrench(const Vector&, const Vector&, BlockRange) const override { return {}; }
};

struct MatrixInertia final : Inertia {
  Matrix M;
  MatrixInertia(Matrix m, int blocks) : M(std::move(m)), num_blocks(blocks) {}
  int num_blocks;
  void couple(PatternBuilder& pattern) const override { couple_all(pattern, num_blocks); }
  void bind(const BlockPattern&) override {}
  bool is_constant() const override { return true; }
  void add_force(const Vector&, const Vector&, const Vector& a, Vector& f) const override { f += M * a; }
  void add_tangent(const Vector&, const Vector&, const Vector&, double mass_scale, double, double,
                   BlockMatrix& matrix) const override {
    add_dense(M, mass_scale, matrix);
  }
  double kinetic_energy(const Vector&, const Vector& v) const override { return 0.5 * v.dot(M * v); }
  LinearAngular momentum(const Vector&, const Vector&) const override { return {}; }
};

struct MatrixEnergy final : EnergyTerm {
  Matrix K;
  explicit MatrixEnergy(Matrix k) : K(std::move(k)) {}
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_quadratic() const override { return true; }
  double evaluate(const EnergyRequest& request) const override {
    const Vector force = K * request.q;
    if (request.gradient) *request.gradient += force;
    if (request.hessian) add_dense(K, request.hessian_scale, *request.hessian);
    return 0.5 * request.q.dot(force);
  }
};

struct DenseScratch final : TermScratch {
  Matrix C;
};

struct ZeroPins final : Constraint {
  std::vector<int> pinned;
  explicit ZeroPins(std::vector<int> dofs_in) : pinned(std::move(dofs_in)) {}
  const std::vector<int>& dofs() const override { return pinned; }
  void prescribe(double, Vector* q, Vector* v, Vector* a) const override {
    for (const int dof : pinned) {
      if (q) (*q)[dof] = 0;
      if (v) (*v)[dof] = 0;
      if (a) (*a)[dof] = 0;
    }
  }
  bool is_fixed() const override { return true; }
};

constexpr double gravity = 9.81, rest_length = 1;

struct CartesianPendulumEnergy final : EnergyTerm {
  double k;
  explicit CartesianPendulumEnergy(double stiffness) : k(stiffness) {}
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder& pattern) const override { couple_all(pattern, 1); }
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override {
    const Vector& q = request.q;
    const double r = q.norm();
    const Vector n = q / r;
    if (request.gradient) {
      *request.gradient += k * (r - rest_length) * n;
      (*request.gradient)[1] += gravity;
    }
    if (request.hessian) {
      const Matrix nn = n * n.transpose();
      const double along =
          request.projection == Projection::none ? 1 - rest_length / r : std::max(0.0, 1 - rest_length / r);
      add_dense(k * (nn + along * (Matrix::Identity(2, 2) - nn)), request.hessian_scale, *request.hessian);
    }
    return 0.5 * k * (r - rest_length) * (r - rest_length) + gravity * q[1];
  }
};

struct ScalarEnergy final : EnergyTerm {
  std::function<std::array<double, 3>(double)> potential;
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override {
    const auto [value, slope, curvature] = potential(request.q[0]);
    if (request.gradient) (*request.gradient)[0] += slope;
    if (request.hessian) add_dense(Matrix::Constant(1, 1, curvature), request.hessian_scale, *request.hessian);
    return value;
  }
};

struct PolarPendulumEnergy final : EnergyTerm {
  double k;
  explicit PolarPendulumEnergy(double stiffness) : k(stiffness) {}
  const std::string& body() const override { return body_name; }
  void couple(PatternBuilder& pattern) const override { couple_all(pattern, 1); }
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override {
    const double r = request.q[0], s = std::sin(request.q[1]), c = std::cos(request.q[1]);
    if (request.gradient) {
      (*request.gradient)[0] += k * (r - rest_length) + gravity * s;
      (*request.gradient)[1] += gravity * r * c;
    }
    if (request.hessian) {
      Matrix H(2, 2);
      H << k, gravity * c, gravity * c, -gravity * r * s;
      add_dense(H, request.hessian_scale, *request.hessian);
    }
    return 0.5 * k * (r - rest_length) * (r - rest_length) + gravity * r * s;
  }
};

/// T = (rdot^2 + r^2 thetadot^2) / 2: M = diag(1, r^2), c = (-r thetadot^2, 2 r rdot thetadot).
struct PolarInertia final : Inertia {
  void couple(PatternBuilder& pattern) const override { couple_all(pattern, 1); }
  void bind(const BlockPattern&) override {}
  bool is_constant() const override { return false; }
  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override {
    f[0] += a[0] - q[0] * v[1] * v[1];
    f[1] += q[0] * q[0] * a[1] + 2 * q[0] * v[0] * v[1];
  }
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override {
    Matrix A(2, 2);
    A << mass_scale - position_scale * v[1] * v[1], -velocity_scale * 2 * q[0] * v[1],
        velocity_scale * 2 * q[0] * v[1] + position_scale * (2 * q[0] * a[1] + 2 * v[0] * v[1]),
        mass_scale * q[0] * q[0] + velocity_scale * 2 * q[0] * v[0];
    add_dense(A, 1, matrix);
  }
  double kinetic_energy(const Vector& q, const Vector& v) const override {
    return 0.5 * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]);
  }
  LinearAngular momentum(const Vector&, const Vector&) const override { return {}; }
};

}  // namespace

std::shared_ptr<const System> linear_system(const Matrix& M, const Matrix& C, const Matrix& K,
                                            const std::vector<int>& prescribed) {
  return linear_system(M, C, K, prescribed.empty() ? nullptr : std::make_unique<ZeroPins>(prescribed));
}

std::shared_ptr<const System> linear_system(const Matrix& M, const Matrix& C, const Matrix& K,
                                            std::unique_ptr<Constraint> support,
                                            std::unique_ptr<VelocityFilter> filter) {
  SystemBuilder builder(1, Vector::Zero(M.rows()));
  builder.set_inertia(std::make_unique<MatrixInertia>(M, static_cast<int>(M.rows())));
  builder.set_kinematics(std::make_unique<NoKinematics>());
  builder.add(std::make_unique<MatrixEnergy>(K));
  if (C.norm() > 0) builder.add(std::make_unique<DenseDamping>(C));
  if (support) builder.add(std::move(support));
  if (filter) builder.add(std::move(filter));
  return builder.build();
}

std::shared_ptr<const System> linear_system(const Matrix& M, std::unique_ptr<DissipationTerm> damping, const Matrix& K,
                                            std::shared_ptr<const void> kept) {
  SystemBuilder builder(1, Vector::Zero(M.rows()));
  builder.set_inertia(std::make_unique<MatrixInertia>(M, static_cast<int>(M.rows())));
  builder.set_kinematics(std::make_unique<NoKinematics>());
  builder.add(std::make_unique<MatrixEnergy>(K));
  builder.add(std::move(damping));
  builder.keep(std::move(kept));
  return builder.build();
}

DenseDamping::DenseDamping(Matrix C) : C_([C](const Vector&) { return C; }), constant_(true) {}
DenseDamping::DenseDamping(std::function<Matrix(const Vector&)> C) : C_(std::move(C)), constant_(false) {}
const std::string& DenseDamping::body() const { return body_name; }

DissipationTraits DenseDamping::traits() const {
  DissipationTraits traits;
  traits.constant = constant_;
  return traits;
}

std::unique_ptr<TermScratch> DenseDamping::make_scratch_beside(std::span<const EnergyScratch> energies) const {
  num_energies_offered_ = energies.size();
  return std::make_unique<DenseScratch>();
}

void DenseDamping::begin_step(const State& state, TermScratch* scratch) const {
  static_cast<DenseScratch&>(*scratch).C = C_(state.q);
}

double DenseDamping::evaluate(const DissipationRequest& request) const {
  const Matrix& C = static_cast<const DenseScratch&>(*request.scratch).C;
  const Vector force = C * request.v;
  if (request.force) *request.force += force;
  if (request.tangent) add_dense(C, request.dv_scale, *request.tangent);
  return request.v.dot(force);
}

void DenseDamping::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  CX = static_cast<const DenseScratch&>(*scratch).C * X;
}

void DenseMass::add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const {
  add_dense(M_, element_scale[0], M);
}

std::shared_ptr<const System> oscillator(double omega, double zeta) {
  const Matrix one = Matrix::Identity(1, 1);
  return linear_system(one, 2 * zeta * omega * one, omega * omega * one);
}

std::shared_ptr<const System> one_dof(double mass, std::function<std::array<double, 3>(double)> potential) {
  SystemBuilder builder(1, Vector::Zero(1));
  builder.set_inertia(std::make_unique<MatrixInertia>(Matrix::Constant(1, 1, mass), 1));
  builder.set_kinematics(std::make_unique<NoKinematics>());
  auto energy = std::make_unique<ScalarEnergy>();
  energy->potential = std::move(potential);
  builder.add(std::move(energy));
  return builder.build();
}

Chain chain_ch5() {
  const double m[5] = {1, 1.5, 2, 1, 0.5}, k[5] = {100, 80, 60, 40, 20};
  Chain chain{Matrix::Zero(5, 5), {}, Matrix::Zero(5, 5)};
  for (int i = 0; i < 5; ++i) {
    chain.M(i, i) = m[i];
    chain.K(i, i) += k[i];
    if (i == 0) continue;
    chain.K(i - 1, i - 1) += k[i];
    chain.K(i, i - 1) -= k[i];
    chain.K(i - 1, i) -= k[i];
  }
  chain.C = 0.1 * chain.M + 0.02 * chain.K;
  return chain;
}

std::shared_ptr<const System> pendulum_cartesian(double k) {
  SystemBuilder builder(2, Vector::Zero(2));
  builder.set_inertia(std::make_unique<MatrixInertia>(Matrix::Identity(2, 2), 1));
  builder.set_kinematics(std::make_unique<NoKinematics>());
  builder.add(std::make_unique<CartesianPendulumEnergy>(k));
  return builder.build();
}

std::shared_ptr<const System> pendulum_polar(double k) {
  SystemBuilder builder(2, Vector::Zero(2));
  builder.set_inertia(std::make_unique<PolarInertia>());
  builder.set_kinematics(std::make_unique<NoKinematics>());
  builder.add(std::make_unique<PolarPendulumEnergy>(k));
  return builder.build();
}

}  // namespace dashpot::testing
