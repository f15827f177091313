#include "dashpot/exporter/morph_targets.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dashpot/math/polar3.hpp"

namespace dashpot::exporter {
namespace {

using Frames = std::vector<std::vector<Vec3>>;

struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
};

Vec3 center(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

Mat3 covariance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const Vec3 ca = center(a), cb = center(b);
  Mat3 sum = Mat3::Zero();
  for (std::size_t p = 0; p < a.size(); ++p) sum += (a[p] - ca) * (b[p] - cb).transpose();
  return sum;
}

math::Matrix3<double> to_math(const Mat3& A) {
  math::Matrix3<double> m;
  for (int i = 0; i < 9; ++i) m.m[i] = A.data()[i];
  return m;
}

/// Points on a line have no rotation about it: the fit would jump from frame to frame.
bool spans_a_plane(const std::vector<Vec3>& points) {
  const math::Svd3<double> svd = math::svd3(to_math(covariance(points, points)));
  return svd.s[1] > 1e-6 * svd.s[0] && svd.s[0] > 0;
}

/// (R, t) that minimize sum |R reference + t - x|^2.
Pose rigid_fit(const std::vector<Vec3>& reference, const std::vector<Vec3>& x) {
  const math::Polar3<double> polar = math::polar3(to_math(covariance(x, reference)));
  Pose pose;
  for (int i = 0; i < 9; ++i) pose.rotation.data()[i] = polar.R.m[i];
  pose.translation = center(x) - pose.rotation * center(reference);
  return pose;
}

/// The snapshots seen from the moving frame, as columns, and their mean taken off.
struct Snapshots {
  std::vector<Pose> poses;  ///< empty: the world's frame
  Vector mean;
  Matrix deviation;  ///< 3 points x frames
};

Snapshots collect(const Frames& frames, std::vector<Pose> poses) {
  Snapshots snapshots;
  const auto size = static_cast<Eigen::Index>(3 * frames[0].size()), count = static_cast<Eigen::Index>(frames.size());
  snapshots.deviation.resize(size, count);
  for (Eigen::Index f = 0; f < count; ++f)
    for (std::size_t p = 0; p < frames[0].size(); ++p) {
      const auto fu = static_cast<std::size_t>(f);
      Vec3 x = frames[fu][p];
      if (!poses.empty()) x = poses[fu].rotation.transpose() * (x - poses[fu].translation);
      snapshots.deviation.col(f).segment<3>(static_cast<Eigen::Index>(3 * p)) = x;
    }
  snapshots.mean = snapshots.deviation.rowwise().mean();
  snapshots.deviation.colwise() -= snapshots.mean;
  snapshots.poses = std::move(poses);
  return snapshots;
}

Snapshots collect_aligned(const Frames& frames) {
  std::vector<Vec3> reference = frames[0];
  Snapshots snapshots;
  for (int pass = 0; pass < 2; ++pass) {  // first to the first frame, then to the mean of what that gave
    std::vector<Pose> poses;
    for (const std::vector<Vec3>& frame : frames) poses.push_back(rigid_fit(reference, frame));
    snapshots = collect(frames, std::move(poses));
    for (std::size_t p = 0; p < reference.size(); ++p)
      reference[p] = snapshots.mean.segment<3>(static_cast<Eigen::Index>(3 * p));
  }
  return snapshots;
}

struct Spectrum {
  Vector lambda;           ///< squared singular values, falling
  Matrix vectors;          ///< right singular vectors, columns
  int rank = 0;            ///< above round-off
  int needed = 0;          ///< targets that the request asks for
  double left_over = 0;    ///< squared error of that many
  bool is_enough = false;  ///< whether the largest error is as asked for
};

double largest_distance(const Matrix& residual) {
  double squared = 0;
  for (Eigen::Index f = 0; f < residual.cols(); ++f)
    for (Eigen::Index i = 0; i + 2 < residual.rows(); i += 3)
      squared = std::max(squared, residual.col(f).segment<3>(i).squaredNorm());
  return std::sqrt(squared);
}

double box_diagonal(const std::vector<Vec3>& points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

Spectrum analyze(const Snapshots& snapshots, const MorphRequest& request, const std::function<void()>& poll) {
  const Eigen::Index count = snapshots.deviation.cols();
  Matrix gram(count, count);
  constexpr Eigen::Index block = 64;
  for (Eigen::Index j = 0; j < count; j += block) {  // in blocks, so that the user can stop it
    const Eigen::Index width = std::min(block, count - j);
    gram.middleCols(j, width).noalias() = snapshots.deviation.transpose() * snapshots.deviation.middleCols(j, width);
    if (poll) poll();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram);
  Spectrum spectrum{solver.eigenvalues().reverse().cwiseMax(0), solver.eigenvectors().rowwise().reverse()};
  const double floor = 1e-14 * spectrum.lambda[0];
  while (spectrum.rank < count && spectrum.lambda[spectrum.rank] > floor) ++spectrum.rank;
  const double allowed = request.relative_error * request.body_size;
  Matrix residual = snapshots.deviation;
  while (!(spectrum.is_enough = largest_distance(residual) <= allowed) &&
         spectrum.needed < std::min(spectrum.rank, request.most)) {
    const Vector right = spectrum.vectors.col(spectrum.needed++);
    const Vector displacement = residual * right;
    residual.noalias() -= displacement * right.transpose();
    if (poll) poll();
  }
  spectrum.left_over = spectrum.lambda.tail(count - spectrum.needed).sum();
  return spectrum;
}

/// Taking the rigid motion out is worth it when it saves two targets, or halves an error above what was asked for.
bool is_worth_it(const Spectrum& world, const Spectrum& aligned, double motion_squared) {
  return aligned.needed + 1 < world.needed ||
         (!world.is_enough && aligned.needed <= world.needed && aligned.left_over < 0.25 * world.left_over &&
          world.left_over > 1e-12 * motion_squared);
}

std::vector<Vec3f> as_points(const Vector& flat) {
  std::vector<Vec3f> points;
  for (Eigen::Index i = 0; i + 2 < flat.size(); i += 3) points.emplace_back(flat.segment<3>(i).cast<float>());
  return points;
}

MorphTargets assemble(const Snapshots& snapshots, const Spectrum& spectrum) {
  MorphTargets morphs;
  morphs.base = as_points(snapshots.mean);
  morphs.weights.resize(snapshots.deviation.cols(), spectrum.needed);
  for (int k = 0; k < spectrum.needed; ++k) {
    Vector right = spectrum.vectors.col(k);  // unit length; D right = sigma left
    const Vector displacement = snapshots.deviation * right;
    Eigen::Index largest = 0;
    double scale = right.cwiseAbs().maxCoeff(&largest);
    if (right[largest] < 0) scale = -scale;  // one of two equally good signs, always the same
    right /= scale;
    morphs.targets.push_back(as_points(displacement * scale));
    morphs.weights.col(k) = right.cast<float>();
  }
  Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
  for (const Pose& pose : snapshots.poses) {
    Eigen::Quaterniond q(pose.rotation);
    if (q.dot(last) < 0) q.coeffs() = -q.coeffs();  // the short way from the frame before
    last = q;
    morphs.poses.push_back({q.normalized().coeffs().cast<float>(), pose.translation.cast<float>()});
  }
  return morphs;
}

MorphError measure(const MorphTargets& morphs, const Frames& frames, double body_size) {
  double sum = 0, max_squared = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<Vec3> rebuilt = morphs.rebuilt(f);
    for (std::size_t p = 0; p < rebuilt.size(); ++p) {
      const double squared = (rebuilt[p] - frames[f][p]).squaredNorm();
      sum += squared;
      max_squared = std::max(max_squared, squared);
    }
  }
  const double count = static_cast<double>(frames.size() * frames[0].size());
  const double max = std::sqrt(max_squared);
  return {body_size > 0 ? max / body_size : 0, std::sqrt(sum / count), max};
}

}  // namespace

std::vector<Vec3> MorphTargets::rebuilt(std::size_t frame) const {
  std::vector<Vec3> points;
  points.reserve(base.size());
  for (std::size_t p = 0; p < base.size(); ++p) {
    Vec3 x = base[p].cast<double>();
    for (std::size_t k = 0; k < targets.size(); ++k)
      x += static_cast<double>(weights(static_cast<Eigen::Index>(frame), static_cast<Eigen::Index>(k))) *
           targets[k][p].cast<double>();
    if (!poses.empty())
      x = Eigen::Quaterniond(poses[frame].rotation.cast<double>()).normalized() * x +
          poses[frame].translation.cast<double>();
    points.push_back(x);
  }
  return points;
}

MorphTargets fit_morph_targets(const Frames& frames, const MorphRequest& asked, const std::function<void()>& poll) {
  MorphRequest request = asked;
  if (!(request.body_size > 0)) request.body_size = box_diagonal(frames[0]);
  const Snapshots world = collect(frames, {});
  // Motion below single precision's resolution of the positions is none.
  const double size_squared = world.mean.squaredNorm() * static_cast<double>(frames.size());
  double motion_squared = world.deviation.squaredNorm();
  if (motion_squared <= 1e-14 * size_squared) motion_squared = 0;
  if (motion_squared == 0) {
    MorphTargets still;
    still.base = as_points(world.mean);
    still.weights.resize(static_cast<Eigen::Index>(frames.size()), 0);
    still.error = measure(still, frames, request.body_size);
    return still;
  }
  const Spectrum spectrum = analyze(world, request, poll);
  MorphTargets morphs;
  bool is_aligned = false;
  if (request.may_take_out_rigid_motion && frames.size() > 1 && spans_a_plane(frames[0])) {
    const Snapshots aligned = collect_aligned(frames);
    const Spectrum of_aligned = analyze(aligned, request, poll);
    is_aligned = is_worth_it(spectrum, of_aligned, motion_squared);
    if (is_aligned) morphs = assemble(aligned, of_aligned);
  }
  if (!is_aligned) morphs = assemble(world, spectrum);
  morphs.error = measure(morphs, frames, request.body_size);
  return morphs;
}

}  // namespace dashpot::exporter
