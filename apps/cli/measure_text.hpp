#pragma once
// How `dashpot measure` shows what it found, for people and for programs.
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "dashpot/analysis/forced.hpp"
#include "dashpot/analysis/frf.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/render/html_report.hpp"

namespace dashpot::cli {

/// `unit` is that of the signal; may be empty.
std::string ring_text(const analysis::RingDown& ring, const std::string& unit);
nlohmann::ordered_json ring_json(const analysis::RingDown& ring);
render::Report ring_report(const analysis::RingDown& ring, const std::string& name, const std::string& unit,
                           const std::vector<double>& time, const std::vector<double>& value);

std::string forced_text(const analysis::ForcedResponse& response);
nlohmann::ordered_json forced_json(const analysis::ForcedResponse& response);

std::string resonance_text(const analysis::ResonanceFit& fit);
nlohmann::ordered_json resonance_json(const analysis::ResonanceFit& fit,
                                      const std::vector<analysis::FrfPoint>& response);
render::Report resonance_report(const analysis::ResonanceFit& fit, const std::vector<analysis::FrfPoint>& response,
                                const std::string& name);

}  // namespace dashpot::cli
