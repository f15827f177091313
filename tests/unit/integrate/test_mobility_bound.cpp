// How far impulses move a body, bounded node by node: what losses at contacts rely on where M is not diagonal.

#include <random>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "stepper_cases.hpp"
#include "support/cut_mesh.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_mobility_bound {
namespace {

/// Largest p . R p / sum w p^2 over impulses at a few nodes, and at all.
double largest_share(const System& system) {
  MassSolver mass;
  const Vector w = mass.mobility_bound(system, system.rest());
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::uniform_int_distribution<Eigen::Index> dof(0, w.size() - 1);
  double largest = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Vector p = Vector::Zero(w.size()), response = p;
    if (trial % 2 == 0)
      for (int i = 0; i < 3; ++i) p[dof(random)] = unit(random);
    else
      for (double& value : p) value = unit(random);
    EXPECT_TRUE(mass.correct(system, system.rest(), -p, response));
    const double bound = (w.array() * p.array().square()).sum();
    if (bound > 0) largest = std::max(largest, p.dot(response) / bound);
    if (bound == 0) EXPECT_EQ(p.dot(response), 0);
  }
  return largest;
}

TEST(MobilityBound, HoldsForEveryMassAndIsTheMassItselfWhereThatIsLumped) {
  const Mesh beam = make_bar(Vec3(0.6, 0.1, 0.1), {6, 1, 1});
  const CutMesh parts = cut(beam, [](const Vec3& x) { return x.x() < 0.3 ? 0 : 1; });
  for (const bool lumped : {true, false})
    for (const bool glued : {false, true}) {
      ElasticBodyOptions options;
      options.lumped = lumped;
      options.is_pinned = [](const Vec3& x) { return x.x() == 0; };
      if (glued) options.ties = parts.ties;
      const auto body = elastic_body(glued ? parts.mesh : beam, options);
      const double share = largest_share(*body);
      EXPECT_GT(share, 0.2) << "a bound that says little";
      EXPECT_LE(share, 1 + 1e-9) << (lumped ? "lumped" : "consistent") << (glued ? ", glued" : "");
      if (lumped && !glued) EXPECT_GT(share, 1 - 1e-12);
    }
}

}  // namespace
}  // namespace dashpot::testing::test_mobility_bound
