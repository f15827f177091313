#pragma once
// How far a body is from its rest shape, wherever it is and however it is turned.
#include "dashpot/record/recording.hpp"
#include "dashpot/render/figure.hpp"

namespace dashpot::cli {

/// Root mean square distance of a body's nodes from its rest shape, placed as well as a rigid motion can [m].
double distance_from_rest(const RecordedBody& body, const Frame& frame);
/// The same for all frames, in mm over s.
render::Series rest_distance_series(const std::string& name, const Recording& recording, std::size_t body);

}  // namespace dashpot::cli
