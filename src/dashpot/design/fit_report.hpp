#pragma once
// The page of a fit: load against displacement (measured, fitted, predicted), the stress curve found, which loads and
// knots say something, and the rest shape beside the pose.

#include "dashpot/design/scene_fit.hpp"
#include "dashpot/render/camera.hpp"
#include "dashpot/render/html_report.hpp"
#include "dashpot/render/image.hpp"

namespace dashpot::design {

/// One panel a case; points that were held out are marked apart.
std::vector<render::Panel> load_panels(const std::vector<LoadCase>& cases, const Identified& found);
/// Stress over stretch, a little beyond the stretches that the loads reach; more series may be added.
render::Panel stress_panel(const ElasticPoints& curve, const StretchRange& reached);
/// The same stretches with another curve.
render::Series stress_series(const std::string& name, const math::Curve& stretch, const StretchRange& reached);
/// Every load: measured, simulated, error, leverage; every part of the curve: slope, spread, resolution.
render::Table load_table(const std::vector<LoadCase>& cases, const Identified& found);
render::Table curve_table(const Identified& found);

/// Pose (colored) and rest shape (pale) in one picture.
render::Image rest_picture(const Mesh& mesh, const std::vector<Vec3>& pose, const std::vector<Vec3>& rest,
                           const render::Look& look, int width, int height);

render::Report fit_report(const FitTask& task, const FitOutcome& outcome);

}  // namespace dashpot::design
