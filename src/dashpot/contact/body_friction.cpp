#include <algorithm>

#include "dashpot/contact/body_contact.hpp"
#include "dashpot/contact/held_rubs.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::contact {
BodyFriction::BodyFriction(std::shared_ptr<const BodyPair> pair, double mu, double v_eps)
    : body_(pair->first().body + "-" + pair->second().body), pair_(std::move(pair)), mu_(mu), v_eps_(v_eps) {
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    points_.insert(points_.end(), surface->corners.begin(), surface->corners.end());
    for (const Sample& sample : surface->samples)
      points_.insert(points_.end(), sample.nodes.begin(), sample.nodes.begin() + sample.num_nodes());
  }
}

DissipationTraits BodyFriction::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.linear_in_velocity = false;  // Coulomb's cone
  return traits;
}

void BodyFriction::couple(PatternBuilder& pattern) const { BodyContact(pair_).couple(pattern); }

std::unique_ptr<TermScratch> BodyFriction::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<RubScratch>();
}

void BodyFriction::begin_step(const State& state, TermScratch* scratch) const {
  std::vector<Rub>& rubs = static_cast<RubScratch*>(scratch)->rubs;
  rubs.clear();
  static_cast<RubScratch*>(scratch)->held.hold(pair_->kinematics(), points_, state.q);
  const PointPositions positions(pair_->kinematics(), state.q);
  const std::vector<Touch> touches = pair_->touches(state.q);
  const std::size_t num_first = static_cast<std::size_t>(
      std::distance(touches.begin(), std::find_if(touches.begin(), touches.end(), [&](const Touch& t) {
                      const Sample* begin = pair_->first().samples.data();
                      return t.sample < begin || t.sample >= begin + pair_->first().samples.size();
                    })));
  for (std::size_t i = 0; i < touches.size();) {
    // All touches of one sample press together: their resultant acts where the strongest of them is.
    Vec3 pressing = Vec3::Zero();
    std::size_t strongest = i;
    double most = 0;
    std::size_t j = i;
    for (; j < touches.size() && touches[j].sample == touches[i].sample; ++j) {
      const FeatureGap gap = pair_->gap(state.q, touches[j]);
      const Penalty<double> psi = penalty(pair_->clear_gap(gap), pair_->law().stiffness, pair_->law().onset);
      const double force = -touches[j].scale * psi.slope;
      pressing += force * gap.normal;
      if (force > most) {
        most = force;
        strongest = j;
      }
    }
    const ContactSurface& onto = i < num_first ? pair_->second() : pair_->first();
    i = j;
    if (most == 0 || pressing.norm() == 0) continue;
    const Touch& touch = touches[strongest];
    const FeatureGap gap = pair_->gap(state.q, touch);
    int points[5];
    double weights[5];
    int count = 0;
    const auto put = [&](int point, double weight) {
      points[count] = point;
      weights[count++] = weight;
    };
    for (int k = 0; k < touch.sample->num_nodes(); ++k) put(touch.sample->nodes[at(k)], touch.sample->weights[at(k)]);
    for (int k = 0; k < touch.num_points; ++k) put(touch.nodes[at(k)], gap.weights[k + 1]);
    const RubPlace place{{points, at(count)},
                         {weights, at(count)},
                         gap.gap * gap.normal,
                         touch.triangle >= 0 ? &onto.triangles[at(touch.triangle)] : nullptr};
    rubs.push_back(make_rub(positions, mu_, pressing, place));
  }
}

double BodyFriction::evaluate(const DissipationRequest& request) const {
  return evaluate_rubs(pair_->kinematics(), static_cast<const RubScratch&>(*request.scratch), v_eps_, request);
}

bool BodyFriction::add_impulse(const ImpulseRequest& request) const {
  return add_rub_impulses(pair_->kinematics(), static_cast<const RubScratch&>(*request.scratch), v_eps_, request);
}

ParameterList BodyFriction::parameters() const { return {{"friction", Quantity::number, {mu_}}}; }

std::shared_ptr<DissipationTerm> BodyFriction::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<BodyFriction>(*this);
  successor->mu_ = values[0];
  return successor;
}

}  // namespace dashpot::contact
