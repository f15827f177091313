#include "dashpot/reduce/moving_frame.hpp"

#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/reduce/moving_frame_terms.hpp"

namespace dashpot {
namespace {

Mat3 cross_matrix(const Vec3& w) {
  Mat3 W;
  W << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return W;
}

/// (z, p, R) of a vector: q, v or a.
struct Parts {
  Vector z;
  Vec3 p;
  Mat3 R;
  explicit Parts(const Vector& x)
      : z(x.head(x.size() - num_carried)),
        p(x.segment<3>(z.size())),
        R(Eigen::Map<const Mat3>(x.data() + z.size() + 3)) {}
};

void add_parts(const Vector& z, const Vec3& p, const Mat3& R, Vector& out) {
  out.head(z.size()) += z;
  out.segment<3>(z.size()) += p;
  Eigen::Map<Mat3>(out.data() + z.size() + 3) += R;
}

class CarriedFrame final : public Constraint {
 public:
  CarriedFrame(std::shared_ptr<const RigidMotion> motion, int r) : motion_(std::move(motion)), dofs_(num_carried) {
    std::iota(dofs_.begin(), dofs_.end(), r);
  }
  const std::vector<int>& dofs() const override { return dofs_; }
  bool is_fixed() const override { return false; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override {
    const RigidPose pose = motion_->pose(time);
    const Mat3 W = cross_matrix(pose.angular_velocity);
    write(q, pose.p, pose.R);
    write(v, pose.velocity, W * pose.R);
    write(a, pose.acceleration, (cross_matrix(pose.angular_acceleration) + W * W) * pose.R);
  }

 private:
  void write(Vector* to, const Vec3& p, const Mat3& R) const {
    if (!to) return;
    to->segment<3>(dofs_.front()) = p;
    Eigen::Map<Mat3>(to->data() + dofs_.front() + 3) = R;
  }
  std::shared_ptr<const RigidMotion> motion_;
  std::vector<int> dofs_;
};

class FrameInertia final : public Inertia {
 public:
  explicit FrameInertia(std::shared_ptr<const FrameMoments> moments) : m_(std::move(moments)) {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_constant() const override { return false; }

  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override {
    const Parts x(q), dx(v), ddx(a);
    const Mat3 Rt = x.R.transpose();
    const Vector fz =
        ddx.z + m_->turned(Rt * ddx.R, x.z) + 2 * (m_->turned(Rt * dx.R) * dx.z) + m_->uniform(Rt * ddx.p);
    const Vec3 c = m_->first(x.z);
    const Vec3 fp = ddx.R * c + 2 * (dx.R * m_->rate(dx.z)) + x.R * m_->rate(ddx.z) + m_->mass() * ddx.p;
    const Mat3 fR = ddx.R * m_->second(x.z) + 2 * (dx.R * m_->mixed(dx.z, x.z)) + x.R * m_->mixed(ddx.z, x.z) +
                    ddx.p * c.transpose();
    add_parts(fz, fp, fR, f);
  }
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override {
    const Parts x(q), dx(v), ddx(a);
    const Mat3 Rt = x.R.transpose();
    // Columns of p and R are never solved for; a unit diagonal keeps the matrix regular.
    const Eigen::Index n = matrix.pattern().block_size();
    Eigen::Map<Matrix>(matrix.block(0), n, n).diagonal().array() += mass_scale;
    add_corner(m_->turned(2 * velocity_scale * Rt * dx.R + position_scale * Rt * ddx.R), 1, matrix);
  }
  double kinetic_energy(const Vector& q, const Vector& v) const override {
    const Parts x(q), dx(v);
    const Mat3 turning = x.R.transpose() * dx.R;
    return 0.5 * ((dx.R * m_->second(x.z) * dx.R.transpose()).trace() + dx.z.squaredNorm() +
                  m_->mass() * dx.p.squaredNorm()) +
           turning.cwiseProduct(m_->mixed(dx.z, x.z)).sum() + dx.p.dot(dx.R * m_->first(x.z) + x.R * m_->rate(dx.z));
  }
  LinearAngular momentum(const Vector& q, const Vector& v) const override {
    const Parts x(q), dx(v);
    const Vec3 c = m_->first(x.z), moving = dx.R * c + x.R * m_->rate(dx.z);
    const Mat3 N = dx.R * m_->second(x.z) * x.R.transpose() + x.R * m_->mixed(dx.z, x.z) * x.R.transpose() +
                   moving * x.p.transpose() + dx.p * (x.R * c + m_->mass() * x.p).transpose();  // sum m x' x^T
    return {moving + m_->mass() * dx.p, {N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1)}};
  }

 private:
  std::shared_ptr<const FrameMoments> m_;
};

class FrameKinematics final : public Kinematics {
 public:
  explicit FrameKinematics(std::shared_ptr<const System> still) : still_(std::move(still)) {}
  int num_points() const override { return still_->kinematics().num_points(); }
  void positions(const Vector& q, std::vector<Vec3>& x) const override {
    const Parts at(q);
    still_->kinematics().positions(at.z, x);
    for (Vec3& point : x) point = at.R * point + at.p;
  }
  void velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const override {
    const Parts at(q), rate(v);
    std::vector<Vec3> y;
    still_->kinematics().positions(at.z, y);
    still_->kinematics().velocities(at.z, rate.z, xdot);
    for (std::size_t i = 0; i < y.size(); ++i) xdot[i] = rate.R * y[i] + at.R * xdot[i] + rate.p;
  }
  bool is_linear(int) const override { return false; }
  Vec3 point_position(const double* q, int point) const override {
    const Frame at(q + num_modes());
    return at.R * still_->kinematics().point_position(q, point) + at.p;
  }
  /// dx/dz = R Phi, dx/dp = I, dx/dR_k = y_k I. (z and R meet in d2x/dq2, but R is prescribed: never solved for.)
  void point_jacobian(const double* q, int point, PointJacobian& J) const override {
    const int r = num_modes();
    const Frame at(q + r);
    const Vec3 y = still_->kinematics().point_position(q, point);
    PointJacobian still;
    still_->kinematics().point_jacobian(q, point, still);
    J.parts.assign(1, {0, 0, r + num_carried});
    J.columns.resize(3, r + num_carried);
    J.columns.leftCols(r) = at.R * still.columns;
    J.columns.middleCols<3>(r).setIdentity();
    for (int k = 0; k < 3; ++k) J.columns.middleCols<3>(r + 3 + 3 * k) = y[k] * Mat3::Identity();
  }
  std::vector<int> point_blocks(int) const override { return {0}; }
  using Kinematics::wrench;
  /// From the rows of p and R, which hold sum F and sum F y^T.
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange) const override {
    const Parts at(q), force(f);
    const Mat3 N = force.R * at.R.transpose() + force.p * at.p.transpose();
    return {force.p, {N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1)}};
  }

 private:
  struct Frame {
    Vec3 p;
    Mat3 R;
    explicit Frame(const double* at) : p(Vec3::Map(at)), R(Eigen::Map<const Mat3>(at + 3)) {}
  };
  int num_modes() const { return still_->num_dofs(); }
  std::shared_ptr<const System> still_;
};

/// -g . sum m (x - X).
class FrameGravity final : public EnergyTerm {
 public:
  FrameGravity(std::string body, std::shared_ptr<const FrameMoments> moments, const Vec3& gravity)
      : body_(std::move(body)), m_(std::move(moments)), gravity_(gravity) {}
  EnergyKind kind() const override { return EnergyKind::gravity; }
  const std::string& body() const override { return body_; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_quadratic() const override { return true; }
  double evaluate(const EnergyRequest& request) const override {
    const Parts x(request.q);
    const Vec3 c = m_->first(x.z);
    if (request.gradient)
      add_parts(-m_->uniform(x.R.transpose() * gravity_), -m_->mass() * gravity_, -gravity_ * c.transpose(),
                *request.gradient);
    return gravity_.dot(m_->first(Vector::Zero(x.z.size())) - x.R * c - m_->mass() * x.p);
  }

 private:
  std::string body_;
  std::shared_ptr<const FrameMoments> m_;
  Vec3 gravity_;
};

}  // namespace

std::shared_ptr<const System> in_moving_frame(const ReducedModel& model, std::shared_ptr<const RigidMotion> motion,
                                              const Vec3& gravity) {
  const System& still = *model.system;
  if (!still.loads().empty() || !still.filters().empty())
    throw Error(Problem{"", still.loads().empty() ? "a velocity filter" : "a load besides gravity",
                        "a body in a moving frame with gravity and dampings only", "simulate it in full"});
  const int r = still.num_dofs();
  Vector rest = Vector::Zero(r + num_carried);
  Eigen::Map<Mat3>(rest.data() + r + 3).setIdentity();
  SystemBuilder builder(r + num_carried, rest);
  builder.keep(model.system);
  const auto moments = std::make_shared<const FrameMoments>(*model.subspace);
  builder.set_inertia(std::make_unique<FrameInertia>(moments));
  builder.set_kinematics(std::make_unique<FrameKinematics>(model.system));
  std::string body;
  for (const auto& term : still.energies()) {
    body = term->body();
    if (term->kind() != EnergyKind::gravity) builder.add(std::make_unique<MovingFrameEnergy>(still, *term));
  }
  if (!gravity.isZero(0)) builder.add(std::make_unique<FrameGravity>(body, moments, gravity));
  for (std::size_t j = 0; j < still.dissipations().size(); ++j)
    builder.add(std::make_unique<MovingFrameDamping>(still, still.dissipations()[j]), still.dissipation_place(j));
  builder.add(std::make_unique<CarriedFrame>(std::move(motion), r));
  return builder.build();
}

State in_moving_frame(const System& moving, const State& still) {
  State state = moving.initial_state(still.time);
  state.q.head(still.q.size()) = still.q;
  state.v.head(still.v.size()) = still.v;
  moving.prescribe(state.time, &state.q, &state.v, nullptr);
  return state;
}

}  // namespace dashpot
