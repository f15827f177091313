#pragma once
// GET /api/registry: the models of this build with their parameters, for the forms of the page.

#include <string>

namespace dashpot::studio {

std::string registry_json();

}  // namespace dashpot::studio
