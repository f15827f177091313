#include "dashpot/render/recorded_times.hpp"

#include <algorithm>
#include <limits>

namespace dashpot::render {

std::vector<std::size_t> sampled_frames(const Recording& recording, std::size_t wanted) {
  const std::size_t n = recording.frames.size(), count = std::min(n, wanted);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
  return result;
}

std::vector<double> even_times(const Recording& recording, int count) {
  std::vector<double> times;
  const double first = recording.frames.front().time, last = recording.frames.back().time;
  for (int i = 0; i < count; ++i) times.push_back(count == 1 ? last : first + (last - first) * i / (count - 1));
  return times;
}

double most_different_time(const std::vector<ShownRun>& runs) {
  double end = std::numeric_limits<double>::infinity();
  for (const ShownRun& run : runs) end = std::min(end, run.recording->frames.back().time);
  double best = end, largest = 0;
  const Recording& first = *runs.front().recording;
  for (const std::size_t f : sampled_frames(first, 200)) {
    const Frame& frame = first.frames[f];
    if (frame.time > end) break;
    double sum = 0;
    for (std::size_t other = 1; other < runs.size(); ++other) {
      const Frame there = frame_at(*runs[other].recording, frame.time);
      if (there.points.size() != frame.points.size()) return end;
      for (std::size_t i = 0; i < frame.points.size(); ++i) sum += (there.points[i] - frame.points[i]).squaredNorm();
    }
    if (sum <= largest) continue;
    largest = sum;
    best = frame.time;
  }
  return best;
}

Frame frame_at(const Recording& recording, double time) {
  const std::vector<Frame>& frames = recording.frames;
  const auto later =
      std::lower_bound(frames.begin(), frames.end(), time, [](const Frame& frame, double t) { return frame.time < t; });
  if (later == frames.begin()) return frames.front();
  if (later == frames.end()) return frames.back();
  const Frame &a = *(later - 1), &b = *later;
  const double share = b.time > a.time ? (time - a.time) / (b.time - a.time) : 1.0;
  if (share >= 1 || a.points.size() != b.points.size()) return b;
  Frame frame = b;
  frame.time = time;
  // What one of the two frames does not have stays as it is in the later one: motions that were not simulated here have
  // no velocities and no power.
  const auto interpolate = [share](const auto& from, auto& to) {
    for (std::size_t i = 0; from.size() == to.size() && i < to.size(); ++i)
      to[i] = (1 - share) * from[i] + share * to[i];
  };
  interpolate(a.points, frame.points);
  interpolate(a.velocities, frame.velocities);
  interpolate(a.power, frame.power);
  return frame;
}

}  // namespace dashpot::render
