#pragma once
// What the models of strain-rate damping share: their options, the pieces of a sheet, parameters of scenes.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class BodyAssembly;

/// Whether it is what bends in a sheet or strand.
bool is_bend(const ModuliSource& source);
/// The pieces a body has, in words, for messages.
std::string pieces_of(const BodyAssembly& body);

StrainRateOptions strain_rate_options(const Settings& settings);
/// Metric and dependence on the rate, for notes.
std::string describe(const StrainRateOptions& options);
/// The parameters that strain_rate_options reads, after a model's own.
std::vector<Parameter> with_strain_rate_options(std::vector<Parameter> parameters);
/// A viscosity [Pa s] >= 0.
Parameter viscosity_parameter(const char* name, const char* symbol, const char* meaning);

/// Membrane and bends of a sheet, found among what the body is made of.
struct SheetParts {
  const ModuliSource *membrane = nullptr, *bends = nullptr;
  double thickness = 0;  ///< [m]
};
/// Throws Error where the body is no sheet.
SheetParts sheet_parts(const Settings& settings, const BodyAssembly& body, const char* model, const char* expected,
                       const char* remedy);
/// Hinges or bends with a viscosity [J s] in place of their bending stiffness [J].
std::unique_ptr<StrainRateDamping> make_bending_rate(const BodyAssembly& body, const ModuliSource& bends,
                                                     PartwiseValue viscosity, const StrainRateOptions& options);

}  // namespace dashpot
