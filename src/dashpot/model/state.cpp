#include "dashpot/model/state.hpp"

#include <algorithm>

#include "dashpot/core/hash.hpp"

namespace dashpot {

std::uint64_t State::hash() const {
  Hash hash;
  hash.vector(q).vector(v).vector(a).number(time).number(static_cast<double>(step)).number(last_dt);
  hash.number(time_previous);
  hash.vector(q_previous).vector(v_previous).vector(residual);
  hash.bytes(parameters.data(), parameters.size() * sizeof(double)).number(is_rebalanced ? 1 : 0);
  for (const Vector& xi : internal_variables) hash.vector(xi);
  hash.bytes(solver_history.data(), solver_history.size() * sizeof(std::int64_t));
  return hash.value();
}

bool State::is_finite() const {
  return q.allFinite() && v.allFinite() && a.allFinite() &&
         std::all_of(internal_variables.begin(), internal_variables.end(),
                     [](const Vector& xi) { return xi.allFinite(); });
}

}  // namespace dashpot
