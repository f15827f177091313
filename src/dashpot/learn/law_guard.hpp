#pragma once
// Keeps the laws that are learned stiff over the strains that their motions visit, inside the search.
//
// How stiff a law is against a plane wave at some strain (definiteness.hpp) is linear in what its stresses are linear
// in: the weights. So the weights of laws that are stiff against all waves at all strains are a convex set; and where a
// law gives way to a wave, the half-space of weights x'
//
//     stiffness(x')  >=  a tenth of mu of the known law
//
// holds the set, and not x. The search takes the least of its quadratic model over such half-spaces (fit.hpp). So the
// data decide wherever they ask for a law that is stiff, as real materials are, and what they do not decide cannot make
// the law give way. A prior that is raised until the law is stiff takes from what the data determine, too, and may have
// to be raised by orders of magnitude.
//
// Beyond the knots of curves slopes are raised (energy/formula/learned_law.hpp), and the set is not convex there: so
// half-spaces are made anew in every step.

#include <memory>
#include <optional>
#include <vector>

#include "dashpot/learn/definiteness.hpp"
#include "dashpot/learn/fit.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::learn {

/// The law of a body with these parameter values of its scene; nothing where its material is not `learned`.
std::optional<LearnedParts> law_with(const CompiledScene& scene, int body, const std::vector<double>& values);

/// What the tets of some bodies visit in a run.
class StrainWatch {
 public:
  StrainWatch(const CompiledScene& scene, const std::vector<int>& bodies);
  /// points: of the whole scene. strains: by body as given.
  void look(const std::vector<Vec3>& points, std::vector<VisitedStrains>& strains) const;

 private:
  struct Tets {
    TetBatch batch;  ///< of the body alone
    int first_point = 0, num_points = 0;
  };
  std::vector<std::unique_ptr<Tets>> tets_;  ///< by body; none where it has no tets
};

class LawGuard final : public Admissible {
 public:
  /// bodies: of all runs' scenes, whose laws are watched. `problem` must outlive this.
  LawGuard(const FitProblem& problem, const std::vector<int>& bodies);

  void begin_trial() override;
  void look(std::size_t run, const std::vector<Vec3>& points) override;
  void keep_trial(bool forgets) override;
  std::vector<HalfSpace> cuts(const Vector& x) const override;

 private:
  void add_cuts(std::size_t i, const Vector& x, std::vector<HalfSpace>& cuts) const;

  const FitProblem& problem_;
  std::vector<int> bodies_;
  std::vector<StrainWatch> watches_;          ///< by run
  std::vector<VisitedStrains> trial_, kept_;  ///< by body
  std::vector<StrainRegion> regions_;         ///< around what was kept
};

}  // namespace dashpot::learn
