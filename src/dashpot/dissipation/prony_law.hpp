#pragma once
// The point laws of a Prony series (prony.hpp), one for each kind of element.

#include <memory>
#include <vector>

#include "dashpot/dissipation/memory_law.hpp"
#include "dashpot/dissipation/prony.hpp"

namespace dashpot {

class PronyLaw : public MemoryLaw {
 public:
  /// Energy [J] of each branch when its springs are strained as the displacement u does at q.
  virtual std::vector<double> branch_energies(const Vector& q, const Vector& u) const = 0;
};

/// `moduli` by mesh element; the batch must be of the kind they say.
std::shared_ptr<const PronyLaw> make_prony_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                               const std::vector<PronyBranch>& branches);

}  // namespace dashpot
