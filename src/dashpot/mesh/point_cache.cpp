#include "dashpot/mesh/point_cache.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

constexpr std::string_view pc2_magic{"POINTCACHE2\0", 12};
constexpr std::size_t pc2_header_bytes = 32, mdd_header_bytes = 8, point_bytes = 12;
constexpr std::size_t max_cache_problems = 20;

std::uint32_t from_order(std::uint32_t word, std::endian order) {
  return order == std::endian::native ? word : __builtin_bswap32(word);
}

/// Bytes with an order and a name for messages; the caller checks ranges first.
struct Source {
  std::string_view bytes;
  std::endian order;
  const std::string& name;

  std::uint32_t word(std::size_t at) const {
    std::uint32_t raw = 0;
    std::memcpy(&raw, bytes.data() + at, sizeof raw);
    return from_order(raw, order);
  }
  std::int32_t integer(std::size_t at) const { return static_cast<std::int32_t>(word(at)); }
  float number(std::size_t at) const { return std::bit_cast<float>(word(at)); }

  std::string place(std::size_t at) const { return fmt::format("{}: byte {}", name, at); }
  [[noreturn]] void fail(std::size_t at, std::string found, std::string expected, std::string remedy = {}) const {
    throw Error(Problem{place(at), std::move(found), std::move(expected), std::move(remedy)});
  }
};

struct Counts {
  std::size_t frames = 0, points = 0;
};

/// Compares what the header claims with the bytes that are there, before anything is allocated.
Counts check_counts(const Source& source, std::size_t frames_at, std::size_t points_at, std::size_t header_bytes,
                    std::size_t extra_bytes_a_frame) {
  const std::int32_t frames = source.integer(frames_at), points = source.integer(points_at);
  if (frames < 1) source.fail(frames_at, fmt::format("{} frames", frames), "at least 1");
  if (points < 1) source.fail(points_at, fmt::format("{} points", points), "at least 1");
  const Counts counts{static_cast<std::size_t>(frames), static_cast<std::size_t>(points)};
  const std::uint64_t frame_bytes = extra_bytes_a_frame + point_bytes * std::uint64_t{counts.points};
  const std::uint64_t left = source.bytes.size() - header_bytes;
  // frames < 2^31 and frame_bytes < 2^35, so the product does not fit 64 bits only when it exceeds any file.
  if (frame_bytes > left || left / frame_bytes != counts.frames || left % frame_bytes != 0)
    source.fail(frames_at,
                fmt::format("{} frames of {} points in {} bytes", counts.frames, counts.points, source.bytes.size()),
                fmt::format("{:.0f} bytes", static_cast<double>(header_bytes) +
                                                static_cast<double>(frame_bytes) * static_cast<double>(counts.frames)),
                "the file is cut off or of another kind; export it again");
  return counts;
}

std::vector<std::vector<Vec3>> read_positions(const Source& source, Counts counts, std::size_t begin) {
  std::vector<Problem> problems;
  std::vector<std::vector<Vec3>> frames(counts.frames, std::vector<Vec3>(counts.points));
  std::size_t at = begin;
  for (std::size_t f = 0; f < counts.frames; ++f) {
    bool is_reported = false;
    for (std::size_t p = 0; p < counts.points; ++p, at += point_bytes) {
      Vec3& x = frames[f][p];
      x = Vec3(source.number(at), source.number(at + 4), source.number(at + 8));
      if (is_reported || x.allFinite()) continue;
      is_reported = true;
      problems.push_back({source.place(at), fmt::format("point {} of frame {} is not a finite position", p, f),
                          "finite numbers", "the animation was broken before it was exported"});
      if (problems.size() == max_cache_problems) throw Error(std::move(problems));
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return frames;
}

double checked_fps(double fps) {
  if (!(std::isfinite(fps) && fps > 0))
    throw Error(Problem{"", fmt::format("a frame rate of {} /s", fps), "a rate above 0", "24, 25, 30 or 60 are usual"});
  return fps;
}

// ---- writing --------------------------------------------------------------------------------------------------------

void append_word(std::string& out, std::uint32_t word, std::endian order) {
  word = from_order(word, order);
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

void append_number(std::string& out, double value, std::endian order) {
  append_word(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)), order);
}

/// Finite in single precision.
bool fits(double value) { return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()); }

void check_cache(const PointCache& cache) {
  if (cache.frames.empty() || cache.num_points() == 0)
    throw Error(Problem{"point cache", fmt::format("{} frames of {} points", cache.num_frames(), cache.num_points()),
                        "at least one of each", ""});
  if (cache.times.size() != cache.frames.size())
    throw Error(Problem{"point cache", fmt::format("{} times", cache.times.size()),
                        fmt::format("one a frame: {}", cache.frames.size()), ""});
  constexpr auto int_max = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (cache.num_frames() > int_max || cache.num_points() > int_max)
    throw Error(Problem{"point cache", fmt::format("{} frames of {} points", cache.num_frames(), cache.num_points()),
                        "at most 2147483647 of each", ""});
  std::vector<Problem> problems;
  for (std::size_t f = 0; f < cache.num_frames() && problems.size() < max_cache_problems; ++f) {
    const std::string place = fmt::format("point cache: frame {}", f);
    if (!fits(cache.times[f]) ||
        (f > 0 && !(static_cast<float>(cache.times[f]) > static_cast<float>(cache.times[f - 1]))))
      problems.push_back({place, fmt::format("time {} s", cache.times[f]),
                          "times that increase, also in single precision", "record less often"});
    if (cache.frames[f].size() != cache.num_points())
      problems.push_back({place, fmt::format("{} points", cache.frames[f].size()),
                          fmt::format("as in the first: {}", cache.num_points()), ""});
    for (const Vec3& x : cache.frames[f]) {
      if (fits(x[0]) && fits(x[1]) && fits(x[2])) continue;
      problems.push_back({place, fmt::format("position ({}, {}, {})", x[0], x[1], x[2]),
                          "finite numbers that fit into single precision", ""});
      break;
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

void append_positions(std::string& out, const PointCache& cache, std::endian order) {
  for (const std::vector<Vec3>& frame : cache.frames)
    for (const Vec3& x : frame)
      for (int c = 0; c < 3; ++c) append_number(out, x[c], order);
}

}  // namespace

std::vector<std::string> point_cache_extensions() { return {".pc2", ".mdd"}; }

PointCache read_point_cache(const std::string& path, double fps, const FileReader& read) {
  const std::string extension = lower_extension(path);
  if (extension == ".pc2") return parse_pc2(read(path), path, fps);
  if (extension == ".mdd") return parse_mdd(read(path), path);
  throw Error(Problem{path, extension.empty() ? "a name without extension" : "point cache format '" + extension + "'",
                      "one of .pc2, .mdd", ""});
}

PointCache parse_pc2(std::string_view bytes, const std::string& name, double fps) {
  checked_fps(fps);
  const Source source{bytes, std::endian::little, name};
  if (bytes.size() < pc2_header_bytes || bytes.substr(0, pc2_magic.size()) != pc2_magic)
    source.fail(0, "not a .pc2 file", "a header of 32 bytes that begins with POINTCACHE2");
  if (source.integer(12) != 1) source.fail(12, fmt::format("version {}", source.integer(12)), "version 1");
  const float start = source.number(20), rate = source.number(24);
  if (!std::isfinite(start) || std::abs(start) > 1e9F)
    source.fail(20, fmt::format("start frame {}", start), "a frame number of at most 1e9");
  if (!(rate >= 1e-6F && rate <= 1e6F))
    source.fail(24, fmt::format("{} frames a sample", rate), "a number from 1e-6 to 1e6");
  const Counts counts = check_counts(source, 28, 16, pc2_header_bytes, 0);
  PointCache cache;
  cache.frames = read_positions(source, counts, pc2_header_bytes);
  for (std::size_t f = 0; f < counts.frames; ++f)
    cache.times.push_back((static_cast<double>(start) + static_cast<double>(f) * static_cast<double>(rate)) / fps);
  return cache;
}

PointCache parse_mdd(std::string_view bytes, const std::string& name) {
  const Source source{bytes, std::endian::big, name};
  if (bytes.size() < mdd_header_bytes) source.fail(0, fmt::format("{} bytes", bytes.size()), "a header of 8 bytes");
  const Counts counts = check_counts(source, 0, 4, mdd_header_bytes, 4);
  PointCache cache;
  std::vector<Problem> problems;
  for (std::size_t f = 0; f < counts.frames && problems.size() < max_cache_problems; ++f) {
    const std::size_t at = mdd_header_bytes + 4 * f;
    cache.times.push_back(source.number(at));
    if (!std::isfinite(cache.times[f]) || (f > 0 && !(cache.times[f] > cache.times[f - 1])))
      problems.push_back({source.place(at), fmt::format("frame {} at time {} s", f, cache.times[f]),
                          "finite times, each after the one before", "export the animation again"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  cache.frames = read_positions(source, counts, mdd_header_bytes + 4 * counts.frames);
  return cache;
}

std::string pc2_bytes(const PointCache& cache, double fps) {
  checked_fps(fps);
  check_cache(cache);
  const std::size_t last = cache.num_frames() - 1;
  const double step = last == 0 ? 1 / fps : (cache.times[last] - cache.times[0]) / static_cast<double>(last);
  for (std::size_t f = 0; f <= last; ++f)
    if (const double due = cache.times[0] + static_cast<double>(f) * step; std::abs(cache.times[f] - due) > 1e-3 * step)
      throw Error(Problem{fmt::format("point cache: frame {}", f), fmt::format("time {} s", cache.times[f]),
                          fmt::format("{} s: a .pc2 file has equally spaced frames", due),
                          "resample to a frame rate, or write .mdd"});
  std::string out(pc2_magic);
  out.reserve(pc2_header_bytes + cache.num_frames() * cache.num_points() * point_bytes);
  append_word(out, 1, std::endian::little);
  append_word(out, static_cast<std::uint32_t>(cache.num_points()), std::endian::little);
  append_number(out, cache.times[0] * fps, std::endian::little);
  append_number(out, step * fps, std::endian::little);
  append_word(out, static_cast<std::uint32_t>(cache.num_frames()), std::endian::little);
  append_positions(out, cache, std::endian::little);
  return out;
}

std::string mdd_bytes(const PointCache& cache) {
  check_cache(cache);
  std::string out;
  out.reserve(mdd_header_bytes + cache.num_frames() * (4 + cache.num_points() * point_bytes));
  append_word(out, static_cast<std::uint32_t>(cache.num_frames()), std::endian::big);
  append_word(out, static_cast<std::uint32_t>(cache.num_points()), std::endian::big);
  for (const double time : cache.times) append_number(out, time, std::endian::big);
  append_positions(out, cache, std::endian::big);
  return out;
}

}  // namespace dashpot
