#pragma once
// A point law (element/point_law.hpp) whose stress depends on the past of its elements' strain: what a damping with
// memory asks of it, whatever its elements are.

#include <memory>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

class PointLaw;

class MemoryLaw {
 public:
  virtual ~MemoryLaw() = default;
  virtual const PointLaw& point_law() const = 0;
  virtual int num_internal_variables() const = 0;
  virtual std::unique_ptr<TermScratch> make_scratch() const = 0;
  /// Holds the strains of a state and their rates.
  virtual void begin_step(const State& state, TermScratch& scratch) const = 0;
  /// [J]
  virtual double stored_energy(const Vector& internal_variables) const = 0;
};

}  // namespace dashpot
