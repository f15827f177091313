#pragma once
// The vectors over which the linear forms of a stage table are written (stage_table.hpp).

#include <optional>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/integrate/stage_table.hpp"

namespace dashpot {

/// Views of what a step knows; `d` grows as its stages are solved.
struct KnownVectors {
  const Vector& v;           ///< v_n [m/s]
  const Vector& a;           ///< a_n [m/s^2]
  const Vector& d_previous;  ///< q_{n-1} - q_n [m]; empty in a first step, whose forms do not ask for it
  const Vector& v_previous;  ///< v_{n-1} [m/s]; likewise
  const std::vector<Vector>& d;

  /// out = sum of coefficient * known vector; `without` is left out (the unknown of a stage).
  void combine(const LinearForm& form, Vector& out, std::optional<Known> without = {}) const {
    out.setZero(v.size());
    const auto add = [&](Known known, const Vector& vector) {
      if (form[known] != 0 && known != without) out += form[known] * vector;
    };
    add(Known::v_n, v);
    add(Known::a_n, a);
    add(Known::d_previous, d_previous);
    add(Known::v_previous, v_previous);
    for (std::size_t s = 0; s < d.size(); ++s) add(stage_unknown(s), d[s]);
  }
};

}  // namespace dashpot
