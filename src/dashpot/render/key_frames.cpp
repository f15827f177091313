// Which moments of a run tell most about it.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "dashpot/render/recorded_times.hpp"

namespace dashpot::render {
namespace {

constexpr std::size_t most_frames = 300;  ///< looked at
constexpr double rest_share = 1e-3;       ///< of the largest kinetic energy: less is rest
constexpr double noticeable = 0.02;       ///< of the size: smaller deformations are no event
constexpr double sudden = 0.3;            ///< of the largest kinetic energy: a smaller loss is no impact

/// What a frame says about the motion of all bodies.
struct FrameView {
  double time = 0;
  double motion = 0;       ///< mean of v^2 [m^2/s^2]
  double deformation = 0;  ///< largest over the bodies of rms distance from the best rigid fit, over size [-]
  double way = 0;          ///< mean path since the first frame [m]
};

/// Root mean square distance of a body from its rest shape, moved rigidly as well as possible, over its size.
double deformation_of(const RecordedBody& body, const Frame& frame) {
  const Eigen::Index n = body.mesh.num_nodes();
  if (n < 4) return 0;
  Eigen::Matrix3Xd X(3, n), x(3, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    X.col(i) = body.mesh.nodes[static_cast<std::size_t>(i)];
    x.col(i) = frame.points[static_cast<std::size_t>(body.first_point + i)];
  }
  if (!x.allFinite()) return 0;
  X.colwise() -= Vec3(X.rowwise().mean());
  x.colwise() -= Vec3(x.rowwise().mean());
  const Eigen::JacobiSVD<Mat3> svd(x * X.transpose(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 flip = Mat3::Identity();
  flip(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  const Mat3 R = svd.matrixU() * flip * svd.matrixV().transpose();
  const double size = X.norm();
  return size > 0 ? (x - R * X).norm() / size : 0;
}

std::vector<FrameView> look_through(const Recording& recording) {
  std::vector<FrameView> looks;
  const Frame* before = nullptr;
  for (const std::size_t f : sampled_frames(recording, most_frames)) {
    const Frame& frame = recording.frames[f];
    FrameView look{frame.time, 0, 0, looks.empty() ? 0 : looks.back().way};
    double n = 0;
    for (const RecordedBody& body : recording.bodies) {
      for (int i = 0; i < body.mesh.num_nodes(); ++i) {
        const auto p = static_cast<std::size_t>(body.first_point + i);
        look.motion += frame.velocities[p].squaredNorm();
        if (before != nullptr) look.way += (frame.points[p] - before->points[p]).norm() / recording.bodies.size();
        n += 1;
      }
      look.deformation = std::max(look.deformation, deformation_of(body, frame));
    }
    if (n > 0) look.motion /= n;
    looks.push_back(look);
    before = &frame;
  }
  return looks;
}

class Choice {
 public:
  Choice(const std::vector<FrameView>& looks, std::size_t count) : looks_(looks), count_(count) {}

  /// Chooses look i unless it, or one too near to tell apart, is chosen already; the earlier choice keeps its label.
  void add(std::size_t i, const char* label) {
    const std::size_t near = looks_.size() / (4 * count_);
    for (const auto& [other, text] : chosen_)
      if (other == i || (other > i ? other - i : i - other) < near) return;
    if (chosen_.size() < count_) chosen_.emplace_back(i, label);
  }
  /// Fills the longest ways between what is chosen.
  void fill() {
    while (chosen_.size() < std::min(count_, looks_.size())) {
      std::sort(chosen_.begin(), chosen_.end());
      std::size_t best = 0, left = 0, right = 0;
      double longest = -1;
      for (std::size_t k = 0; k + 1 < chosen_.size(); ++k) {
        const std::size_t a = chosen_[k].first, b = chosen_[k + 1].first;
        if (b - a < 2) continue;
        // Where nothing moves any more, time still passes: a tenth of the weight.
        const double all_way = std::max(looks_.back().way, 1e-300), all_time = looks_.back().time - looks_[0].time;
        const double length =
            (looks_[b].way - looks_[a].way) / all_way + 0.1 * (looks_[b].time - looks_[a].time) / all_time;
        if (length > longest) longest = length, left = a, right = b;
      }
      if (longest < 0) return;
      const double middle = 0.5 * (looks_[left].way + looks_[right].way);
      best = left + 1;
      while (best + 1 < right && looks_[best].way < middle) ++best;
      chosen_.emplace_back(best, "");
    }
  }
  std::vector<Moment> moments() {
    std::sort(chosen_.begin(), chosen_.end());
    std::vector<Moment> result;
    for (const auto& [i, label] : chosen_) result.push_back({looks_[i].time, label});
    return result;
  }

 private:
  const std::vector<FrameView>& looks_;
  std::size_t count_;
  std::vector<std::pair<std::size_t, std::string>> chosen_;
};

}  // namespace

std::vector<Moment> key_frames(const Recording& recording, int count, bool can_touch) {
  const std::vector<FrameView> looks = look_through(recording);
  const std::size_t n = looks.size();
  if (n <= 2) {
    std::vector<Moment> all;
    for (const FrameView& look : looks) all.push_back({look.time, ""});
    return all;
  }
  double fastest = 0;
  std::size_t impact = 0, bent = 0, moving = 0;
  double largest_loss = 0;
  const std::size_t window = std::max<std::size_t>(1, n / 60);
  for (std::size_t i = 0; i < n; ++i) fastest = std::max(fastest, looks[i].motion);
  for (std::size_t i = 0; i < n; ++i) {
    if (looks[i].motion > rest_share * fastest) moving = i;
    if (looks[i].deformation > looks[bent].deformation) bent = i;
    const std::size_t later = std::min(n - 1, i + window);
    if (looks[i].motion - looks[later].motion <= largest_loss) continue;
    largest_loss = looks[i].motion - looks[later].motion;
    impact = later;
  }
  Choice choice(looks, static_cast<std::size_t>(std::max(2, count)));
  choice.add(0, "start");
  choice.add(n - 1, moving + 1 < n ? "at rest" : "end");
  if (looks[bent].deformation > noticeable) choice.add(bent, "largest deformation");
  if (can_touch && largest_loss > sudden * fastest) choice.add(impact, "impact");
  if (moving + 1 < n) choice.add(moving + 1, "comes to rest");
  choice.fill();
  return choice.moments();
}

}  // namespace dashpot::render
