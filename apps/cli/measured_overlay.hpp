#pragma once
// A measured ring-down beside simulated ones: `dashpot compare --measured FILE[:column]`.
#include <string>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/render/html_report.hpp"
#include "dashpot/scene/report/run_report.hpp"

namespace dashpot::cli {

struct MeasuredOverlay {
  std::string name;           ///< file and column
  std::vector<double> time;   ///< [s], on the clock of the file
  std::vector<double> value;  ///< [m]
  analysis::RingDown ring;
  bool has_unit = true;  ///< false: the file tells none, meters were taken
};

/// "ring.csv", "ring.csv:tip.y": without a column the one that moves most. dashpot::Error when nothing rings.
MeasuredOverlay read_overlay(const std::string& text);
/// Motion, envelope and damping ratio of the runs with the measured ones beside them: releases and rest lines are put
/// on top of each other.
render::Section overlay_section(const MeasuredOverlay& measured, const std::vector<ComparedRun>& runs);

}  // namespace dashpot::cli
