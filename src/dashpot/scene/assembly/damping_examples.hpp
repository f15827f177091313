#pragma once
// The examples of an "example_based" damping, made from a scene: shapes are poses (anything a body can start from) less
// the rest shape; gains are numbers, curves or presets.

#include <vector>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class BodyAssembly;

/// Shapes cover all dofs of the System that the body is being built into. dashpot::Error with all problems.
std::vector<DampingExample> make_damping_examples(const Settings& damping, BodyAssembly& body);

/// A gain as a scene writes it: one of "gamma", "curve" (with "interpolation") and "preset".
math::GainCurve make_gain(const Settings& example);

/// Coupling, dependence and frame. With "automatic" frames the measured body turns unless something holds it in place,
/// and examples turn locally where the damping they change follows the shape.
ExampleBasedOptions example_options(const Settings& damping, const BodyAssembly& body, bool base_is_constant);

}  // namespace dashpot
