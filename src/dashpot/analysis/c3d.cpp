// C3D: 512-byte blocks. Header: parameter block number, point count, frame range, scale (negative: floats), data block,
// rate. Parameters: groups (negative ids) and their members; only POINT:LABELS and POINT:UNITS are needed here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot::analysis {
namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& found, const std::string& expected) {
  throw Error(Problem{source, found, expected, "export the recording as floating-point Intel C3D or as CSV"});
}

/// Little-endian numbers with every access checked.
class Bytes {
 public:
  Bytes(std::string_view data, const std::string& source) : data_(data), source_(source) {}
  std::size_t size() const { return data_.size(); }
  std::uint8_t byte(std::size_t at) const {
    need(at, 1);
    return static_cast<std::uint8_t>(data_[at]);
  }
  std::uint16_t word(std::size_t at) const { return static_cast<std::uint16_t>(byte(at) | (byte(at + 1) << 8)); }
  float real(std::size_t at) const {
    need(at, 4);
    float value;
    std::memcpy(&value, data_.data() + at, 4);
    return value;
  }
  std::string text(std::size_t at, std::size_t length) const {
    need(at, length);
    return std::string(data_.substr(at, length));
  }

 private:
  void need(std::size_t at, std::size_t count) const {
    if (at > data_.size() || count > data_.size() - at)
      refuse(source_, fmt::format("the file ends at byte {} inside a field at {}", data_.size(), at),
             "a complete file");
  }
  std::string_view data_;
  const std::string& source_;
};

std::string trimmed(std::string text) {
  const std::size_t end = text.find_last_not_of(std::string(" \0", 2));
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text;
}

struct PointParameters {
  std::vector<std::string> labels;  ///< POINT:LABELS (and LABELS2, ... for more than 255 points)
  std::string unit;                 ///< POINT:UNITS, as written; empty: the file does not say
};

PointParameters point_parameters(const Bytes& file, std::size_t at, std::size_t end) {
  PointParameters found;
  int point_group = 0;
  while (at + 2 < end) {
    const int name_length = std::abs(static_cast<std::int8_t>(file.byte(at)));
    const int id = static_cast<std::int8_t>(file.byte(at + 1));
    if (name_length == 0 || id == 0) break;
    const std::string name = file.text(at + 2, static_cast<std::size_t>(name_length));
    const std::size_t link = at + 2 + static_cast<std::size_t>(name_length);
    const std::size_t offset = file.word(link);
    if (id < 0 && name == "POINT") point_group = -id;
    if (id > 0 && id == point_group && name.starts_with("LABELS")) {
      const int type = static_cast<std::int8_t>(file.byte(link + 2));
      const std::size_t dims = file.byte(link + 3);
      if (type == -1 && dims == 2) {
        const std::size_t width = file.byte(link + 4), count = file.byte(link + 5);
        for (std::size_t i = 0; i < count; ++i) found.labels.push_back(trimmed(file.text(link + 6 + i * width, width)));
      }
    }
    if (id > 0 && id == point_group && name == "UNITS" && static_cast<std::int8_t>(file.byte(link + 2)) == -1) {
      const std::size_t dims = file.byte(link + 3);  // one text, or a list of one text
      if (dims == 1 || dims == 2) found.unit = trimmed(file.text(link + 4 + dims, file.byte(link + 4)));
    }
    if (offset == 0) break;
    at = link + offset;
  }
  return found;
}

/// Unit of the coordinates and what to multiply them with. Lengths become meters; what is no length stays as it is.
std::pair<std::string, double> in_meters(const std::string& unit) {
  const ParsedQuantity one = parse_quantity("1 " + unit, Quantity::length);
  if (unit.empty() || !one.error.empty()) return {unit, 1.0};
  return {"m", one.value};
}

}  // namespace

Table parse_c3d(std::string_view bytes, const std::string& source) {
  const Bytes file(bytes, source);
  if (bytes.size() < 1024 || file.byte(1) != 0x50) refuse(source, "no C3D key in byte 2", "a C3D file");
  const std::size_t parameters = (static_cast<std::size_t>(file.byte(0)) - 1) * 512;
  const int processor = file.byte(parameters + 3);
  if (processor != 84) refuse(source, fmt::format("processor type {}", processor), "84 (Intel)");
  const std::size_t num_points = file.word(2), analog = file.word(4);
  const std::size_t first = file.word(6), last = file.word(8);
  const float scale = file.real(12), rate = file.real(20);
  const std::size_t data = (static_cast<std::size_t>(file.word(16)) - 1) * 512;
  if (!(scale < 0))
    refuse(source, fmt::format("scale factor {} (integer coordinates)", scale), "floating-point coordinates");
  if (!(std::isfinite(rate) && rate > 0)) refuse(source, fmt::format("frame rate {}", rate), "a rate above zero");
  if (num_points == 0 || last < first)
    refuse(source, fmt::format("{} points, frames {} to {}", num_points, first, last), "data");
  const std::size_t frame_bytes = 4 * (4 * num_points + analog), num_frames = last - first + 1;
  if (data >= bytes.size() || (bytes.size() - data) / frame_bytes < num_frames)
    refuse(source,
           fmt::format("{} bytes of data for {} frames of {} bytes", data < bytes.size() ? bytes.size() - data : 0,
                       num_frames, frame_bytes),
           "as many frames as the header claims");
  const auto [labels, written_unit] = point_parameters(file, parameters + 4, std::min(data, bytes.size()));
  const auto [unit, factor] = in_meters(written_unit);
  Table table;
  table.name = source;
  table.has_names = true;
  table.columns = {"time"};
  table.units = {"s"};
  for (std::size_t p = 0; p < num_points; ++p)
    for (const char* axis : {"_x", "_y", "_z"}) {
      table.columns.push_back((p < labels.size() && !labels[p].empty() ? labels[p] : fmt::format("point{}", p + 1)) +
                              axis);
      table.units.push_back(unit);
    }
  table.values.assign(table.columns.size(), std::vector<double>(num_frames));
  for (std::size_t f = 0; f < num_frames; ++f) {
    table.values[0][f] = static_cast<double>(f) / static_cast<double>(rate);
    for (std::size_t p = 0; p < num_points; ++p) {
      const std::size_t at = data + f * frame_bytes + 16 * p;
      const bool is_seen = file.real(at + 12) >= 0;  // residual -1: the cameras did not see this marker
      for (std::size_t c = 0; c < 3; ++c)
        table.values[1 + 3 * p + c][f] =
            is_seen ? factor * static_cast<double>(file.real(at + 4 * c)) : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return table;
}

}  // namespace dashpot::analysis
