#include "dashpot/contact/cloth_contact.hpp"

#include "dashpot/model/point_tangent.hpp"

namespace dashpot::contact {
namespace {

struct ContactScratch final : TermScratch {
  ClothNeighbors neighbors;
  std::vector<Vec3> x;
  std::vector<ClothTouch> touches;
};

/// Derivatives of scale m psi over the nodes of a touch.
class TouchEnergy {
 public:
  TouchEnergy(const ClothTouch& touch, const Penalty<double>& psi) : touch_(touch), psi_(psi) {
    for (int k = 0; k < touch.count; ++k) {
      const double w = k < touch.gap.num_points ? touch.gap.weights[k] : 0;
      gap_gradient_[k] = w * touch.gap.normal;
      parallel_gradient_[k].setZero();
      if (is_softened())
        for (int edge = 0; edge < 2; ++edge)
          if (touch.along[edge][k] != 0)
            parallel_gradient_[k] += touch.along[edge][k] * parallel_gradient(touch.parallel, edge == 1);
    }
  }

  Vec3 gradient(int k) const {
    return touch_.scale * (touch_.parallel.value * psi_.slope * gap_gradient_[k] +
                           touch_.parallel.slope * psi_.value * parallel_gradient_[k]);
  }
  /// The part that is positive semidefinite where the touch counts positively.
  Mat3 projected_block(int k, int l) const {
    return (touch_.scale * touch_.parallel.value * psi_.curvature) * gap_gradient_[k] * gap_gradient_[l].transpose();
  }
  Mat3 block(int k, int l) const {
    Mat3 H = projected_block(k, l);
    if (k < touch_.gap.num_points && l < touch_.gap.num_points)
      H += (touch_.scale * touch_.parallel.value * psi_.slope) * gap_hessian_block(touch_.gap, k, l);
    if (!is_softened()) return H;
    const ParallelFactor& m = touch_.parallel;
    const Vec3 &ck = parallel_gradient_[k], &cl = parallel_gradient_[l];
    H +=
        (touch_.scale * m.slope * psi_.slope) * (ck * gap_gradient_[l].transpose() + gap_gradient_[k] * cl.transpose());
    H += (touch_.scale * m.curvature * psi_.value) * ck * cl.transpose();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (const int sign = touch_.along[i][k] * touch_.along[j][l]; sign != 0)
          H += (touch_.scale * m.slope * psi_.value * sign) * parallel_hessian(m, i == 1, j == 1);
    return H;
  }

 private:
  bool is_softened() const { return touch_.parallel.slope != 0; }
  const ClothTouch& touch_;
  const Penalty<double>& psi_;
  Vec3 gap_gradient_[4], parallel_gradient_[4];
};

}  // namespace

void ClothMeeting::positions(const Vector& q, std::vector<Vec3>& x) const {
  x.resize(surface.points.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = kinematics->position(q, surface.points[i]);
}

void ClothMeeting::couple(PatternBuilder& pattern) const {
  for (const std::array<int, 3>& t : surface.triangles) {
    const int corners[3] = {surface.points[at(t[0])], surface.points[at(t[1])], surface.points[at(t[2])]};
    kinematics->couple(corners, 3, pattern);
  }
}

std::unique_ptr<TermScratch> ClothContact::make_scratch() const { return std::make_unique<ContactScratch>(); }

double ClothContact::evaluate(const EnergyRequest& request) const {
  ContactScratch own;
  ContactScratch& scratch = request.scratch != nullptr ? static_cast<ContactScratch&>(*request.scratch) : own;
  const ClothSurface& surface = meeting_->surface;
  const Kinematics& kinematics = *meeting_->kinematics;
  meeting_->positions(request.q, scratch.x);
  scratch.neighbors.update(surface, scratch.x, meeting_->law.thickness);
  find_touches(surface, scratch.neighbors, scratch.x, meeting_->law.thickness, scratch.touches);
  const bool projected = request.projection == Projection::positive_semidefinite;
  double energy = 0;
  for (const ClothTouch& touch : scratch.touches) {
    const Penalty<double> psi = barrier(touch.gap.gap, meeting_->law);
    energy += touch.scale * touch.parallel.value * psi.value;
    if (request.gradient == nullptr && request.hessian == nullptr) continue;
    const TouchEnergy derivatives(touch, psi);
    int points[4];
    for (int k = 0; k < touch.count; ++k) points[k] = surface.points[at(touch.nodes[at(k)])];
    if (request.gradient != nullptr)
      for (int k = 0; k < touch.count; ++k)
        kinematics.add_force(request.q, points[k], derivatives.gradient(k), *request.gradient);
    if (request.hessian == nullptr || (projected && touch.scale < 0)) continue;
    const double scale = request.hessian_scale;
    const int count = projected ? touch.gap.num_points : touch.count;
    add_point_tangent(
        kinematics, request.q, points, count,
        [&](int k, int l) -> Mat3 {
          return scale * (projected ? derivatives.projected_block(k, l) : derivatives.block(k, l));
        },
        *request.hessian, request.couplings);
    for (int k = 0; k < count && !projected; ++k)
      add_point_curvature(kinematics, request.q, points[k], scale * derivatives.gradient(k), *request.hessian);
  }
  return energy;
}

ParameterList ClothContact::parameters() const {
  return {{"stiffness", Quantity::pressure_stiffness, {meeting_->law.stiffness}}};
}

std::shared_ptr<EnergyTerm> ClothContact::remade(const double* values, const Replacements&) const {
  auto changed = std::make_shared<ClothMeeting>(*meeting_);
  changed->law.stiffness = values[0];
  return std::make_shared<ClothContact>(std::move(changed));
}

}  // namespace dashpot::contact
