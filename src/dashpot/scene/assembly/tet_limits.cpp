#include "dashpot/scene/assembly/tet_limits.hpp"

#include <fmt/format.h>

#include "dashpot/energy/limits.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {

Parameter limits_parameter() {
  const auto bounds = [](const char* name, const char* meaning) {
    return parameter::list(name, parameter::real_type(Quantity::number), meaning)
        .sized(2, 2)
        .at_least(0)
        .may_be_absent();
  };
  return parameter::object(
             "limits",
             {bounds("stretch", "least and largest length over rest length, in every direction; around 1"),
              bounds("volume", "least and largest volume over rest volume; around 1"),
              parameter::real("modulus", "w", Quantity::pressure,
                              "stiffness beyond the bounds: they are exceeded by about stress / w")
                  .above(0)
                  .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6")},
             "bounds of the deformation of each tet, beside the material's own law")
      .may_be_absent();
}

void check_limits(const Settings& material, std::vector<Problem>& problems) {
  if (!material.has("limits")) return;
  const Settings limits = material.section("limits");
  if (!limits.has("stretch") && !limits.has("volume"))
    problems.push_back({limits.place(), "limits of nothing", "\"stretch\", \"volume\" or both",
                        "write \"stretch\": [0.9, 1.1], or remove \"limits\""});
  for (const char* name : {"stretch", "volume"}) {
    if (!limits.has(name)) continue;
    const std::vector<double> bounds = limits.numbers(name);
    if (bounds[0] > 1 || bounds[1] < 1)
      problems.push_back({limits.place(name), fmt::format("bounds {:g} and {:g}", bounds[0], bounds[1]),
                          "low <= 1 <= high", "the rest shape, which has 1, must be free"});
  }
}

void add_limits(const Settings& material, BodyAssembly& body) {
  if (!material.has("limits")) return;
  const Settings limits = material.section("limits");
  const auto add = [&](const char* name, decltype(&make_strain_limit) make) {
    if (!limits.has(name)) return;
    const std::vector<double> bounds = limits.numbers(name);
    with_location(limits.place(name), [&] {
      body.add_limit(make(body.name(), body.batch(), {{limits.number("modulus"), bounds[0], bounds[1]}}, {}));
    });
  };
  add("stretch", &make_strain_limit);
  add("volume", &make_volume_limit);
}

}  // namespace dashpot
