// A rubber with both invariants.
#include <fmt/format.h>

#include "dashpot/energy/mooney_rivlin.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

void add_mooney_rivlin(const Settings& settings, BodyAssembly& body) {
  const BodyAssembly::Variants variants = body.variants(settings);
  const int n = body.num_tets();
  const MooneyRivlinParts parts{variants.value("young", n), variants.value("poisson", n),
                                variants.value("second_share", n)};
  tet_material::add_energy(settings, body, make_mooney_rivlin(body.name(), body.batch(), parts));
}

/// Of the body as a whole; what a region changes is checked when the body is built.
void check_share(const Settings& settings, std::vector<Problem>& problems) {
  const double nu = settings.number("poisson"), share = settings.number("second_share");
  if (share * (1 - 2 * nu) > nu)
    problems.push_back({settings.place("second_share"), fmt::format("second_share {:g} at poisson {:g}", share, nu),
                        fmt::format("at most {:.4g} = poisson/(1 - 2 poisson)", std::max(0.0, nu / (1 - 2 * nu))),
                        "Raise poisson: rubber has 0.45 and more"});
}

}  // namespace

namespace models {

void mooney_rivlin(Registry& registry) {
  registry.add({Category::material,
                "mooney_rivlin",
                "compressible Mooney-Rivlin rubber: stress of both invariants; refuses inversion",
                "CiarletGeymonat1982",
                tet_material::with_density(
                    {tet_material::young(), tet_material::poisson(),
                     parameter::real("second_share", "m", Quantity::number,
                                     "share of the shear modulus that the second invariant carries; at most "
                                     "\u03bd/(1 - 2\u03bd)")
                         .at_least(0)
                         .at_most(1)
                         .by_region()
                         .or_else("0.2")}),
                BodyFactory(add_mooney_rivlin),
                "",
                tet_material::with_limits(check_share),
                {R"({"model": "mooney_rivlin", "young": "1 MPa", "poisson": 0.45, "second_share": 0.3,
                     "density": 1000})"}});
}

}  // namespace models
}  // namespace dashpot
