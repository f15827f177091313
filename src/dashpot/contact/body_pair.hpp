#pragma once
// Where two deformable bodies touch: each sample of one against the simplices of the other, in both directions.
//
//     Psi = 1/2 sum over samples i of both bodies  A_i sum over simplices F  c_F psi(s_F(p_i) - r_a - r_b)
//
// psi is the penalty of penalty_law.hpp, s_F the distance to the simplex (feature_gap.hpp), c_F its count
// (contact_surface.hpp). A point inside a solid, as told by the pseudo-normal of the closest simplex
// [BaerentzenAanaes2005], is pushed out along its closest simplex alone, with s < 0; deeper than the solid's depth
// limit it is not felt.
//
// Smoothness: outside Psi is C1, with second derivatives that jump where the closest simplex changes kind. Inside a
// solid the force turns where another face becomes the closest (a ridge that repels, so no equilibrium lies on it).
// With a skin r > 0 bodies pressed by less than k (r_a + r_b) stay outside.
//
// Bodies that are attached to each other meet there by intention: samples with a tied node feel nothing, and simplices
// with a tied node are not felt (so the first ring of triangles around an attachment can be entered by the other body).
//
// Everything depends on q alone: candidates are found anew in every evaluation, in boxes that hold the overlap of the
// two bodies only. Bits do not depend on the number of threads.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dashpot/contact/contact_surface.hpp"
#include "dashpot/contact/feature_gap.hpp"

namespace dashpot::contact {

struct PairLaw {
  double stiffness = 0;  ///< k: pressure per depth [Pa/m]
  double onset = 0;      ///< w: width over which the pressure sets in [m]; > 0
};

/// Points of either body that are attached to the other one.
class TiedNodes {
 public:
  explicit TiedNodes(std::vector<int> points = {}) : points_(std::move(points)) {
    std::sort(points_.begin(), points_.end());
  }
  bool contains(int point) const { return std::binary_search(points_.begin(), points_.end(), point); }

 private:
  std::vector<int> points_;
};

/// One term of the sum.
struct Touch {
  const Sample* sample = nullptr;
  std::array<int, 3> nodes{};  ///< points of the simplex
  int num_points = 0;
  double scale = 0;  ///< A c / 2 [m^2]
  double side = 1;   ///< -1: inside a solid
  Vec3 fallback = Vec3::UnitZ();
  int triangle = -1;  ///< of the other surface: one that carries the simplex; -1: none
};

class BodyPair {
 public:
  /// Surfaces of points of `kinematics`, that of the System.
  BodyPair(std::shared_ptr<const Kinematics> kinematics, ContactSurface a, ContactSurface b, const PairLaw& law,
           TiedNodes tied = TiedNodes());

  /// All touches at q with psi > 0, first those of the samples of a, then those of b, in the order of the samples.
  std::vector<Touch> touches(const Vector& q) const;
  FeatureGap gap(const Vector& q, const Touch& touch) const;
  /// Gap less the skins [m]: what psi sees.
  double clear_gap(const FeatureGap& gap) const { return gap.gap - skin_; }
  const Kinematics& kinematics() const { return *kinematics_; }
  const PairLaw& law() const { return law_; }
  double skin() const { return skin_; }
  const ContactSurface& first() const { return a_; }
  const ContactSurface& second() const { return b_; }

  /// Largest distance a point may come nearer to the other body in one step without slipping through [m].
  double reach_per_step() const;
  /// Largest speed at which points of the one approach the other where they could meet within dt [m/s]; 0: they cannot.
  double approach_speed(const Vector& q, const Vector& v, double dt) const;

 private:
  void collect(const ContactSurface& from, const ContactSurface& onto, const PointPositions& x,
               std::vector<Touch>& touches) const;

  std::shared_ptr<const Kinematics> kinematics_;
  ContactSurface a_, b_;
  PairLaw law_;
  TiedNodes tied_;
  double skin_;
};

}  // namespace dashpot::contact
