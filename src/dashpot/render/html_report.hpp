#pragma once
// A report as data, written as one self-contained HTML page: no scripts, no network, readable from file://, in light
// and dark, on paper, and by screen readers. A page reads from the top: what happened (summary), the numbers that
// matter (key figures), what to mistrust (warnings), the plots, then details for those who want them, then where it all
// came from (provenance). Every text is escaped; numbers arrive as text, formatted by whoever knows their precision
// (render::plain_number).
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dashpot/render/figure.hpp"

namespace dashpot::render {

/// One number that matters, shown large.
struct KeyFigure {
  std::string label;      ///< "damping ratio"
  std::string value;      ///< "0.052"
  std::string unit = {};  ///< "Hz"; empty when dimensionless
  std::string note = {};  ///< one short line below: "asked: 0.050"
};

/// Columns whose cells are all numbers are set flush right.
struct Table {
  std::string caption = {};
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
  std::string note = {};
};

struct Paragraph {
  std::string text;
};

/// Something to be shown as it is: a command, a scene file.
struct Verbatim {
  std::string text;
};

struct Picture {
  std::string description;  ///< for those who cannot see it
  std::string mime = "image/png";
  std::string bytes;  ///< file content, embedded
};

using Block = std::variant<Paragraph, Table, Figure, Picture, Verbatim>;

struct Section {
  std::string heading;
  std::vector<Block> blocks;
  bool is_collapsed = false;  ///< shown folded; for details
};

struct Report {
  std::string title;
  std::string subtitle = {};  ///< "A beam that rings, scene beam.json"
  std::string summary = {};   ///< one paragraph in plain language
  std::vector<KeyFigure> key_figures = {};
  std::string failure = {};  ///< why what the page shows did not come to its end: a red banner; empty: it did
  std::vector<std::string> warnings = {};
  std::vector<Section> sections = {};
  /// Command, input files and their hashes, seed, threads, wall time ...; version, commit, compiler are added.
  std::vector<std::pair<std::string, std::string>> provenance = {};
};

/// dashpot::Error when a table's row is not as long as its header, or a figure is inconsistent.
std::string to_html(const Report& report);

}  // namespace dashpot::render
