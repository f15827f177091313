#pragma once
// Why a body holds no point: the node of its tree that emptied it. Internal to the shape reader and mesher.

#include "dashpot/core/error.hpp"
#include "dashpot/shape/shape.hpp"

namespace dashpot {

/// Says which node of `root`, which is known to be empty, left nothing over; `file` may be empty.
Problem empty_body_problem(const Field& field, int root, const std::string& file);

}  // namespace dashpot
