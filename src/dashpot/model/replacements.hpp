#pragma once
// Which parts of a System took the place of which when parameters changed (System::with). Terms that refer to others
// (Rayleigh damping to the elasticity whose stiffness it multiplies) ask here for the successors.

#include <memory>
#include <unordered_map>

namespace dashpot {

class Replacements {
 public:
  /// `successor` stands for `old`, both seen through the same interface.
  template <class Part>
  void add(const Part* old, const Part* successor) {
    if (old != nullptr) successor_[old] = successor;
  }
  /// What stands for `old` now: its successor, or itself.
  template <class Part>
  const Part* of(const Part* old) const {
    const auto found = successor_.find(old);
    return found == successor_.end() ? old : static_cast<const Part*>(found->second);
  }
  template <class Part>
  bool has(const Part* old) const {
    return successor_.count(old) != 0;
  }
  bool empty() const { return successor_.empty(); }
  /// Masses changed: who keeps masses of its own cannot follow.
  void note_masses() { has_masses_ = true; }
  bool has_masses() const { return has_masses_; }

 private:
  bool has_masses_ = false;
  std::unordered_map<const void*, const void*> successor_;
};

/// Something that a System keeps for its terms and that refers to some of them (a sum of stiffness sources).
class KeptPart {
 public:
  virtual ~KeptPart() = default;
  /// Its successor, entered into the replacements; null: nothing it refers to was replaced.
  virtual std::shared_ptr<const KeptPart> remade(Replacements& replacements) const {
    return static_cast<void>(replacements), nullptr;
  }
};

}  // namespace dashpot
