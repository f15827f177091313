#pragma once
// Rooms below scene/ do not know where in a file a number was written; this adds it to their errors.

#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/error.hpp"

namespace dashpot {

/// Calls action(); problems it throws that were not found in a file get this place, before what they say themselves.
template <class Action>
auto with_location(const std::string& place, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems)
      if (problem.place.empty())
        problem.place = place;
      else if (const std::string file = place.substr(0, place.find(':')); !problem.place.starts_with(file + ":"))
        problem.place = place + ": " + problem.place;
    throw Error(std::move(problems));
  }
}

}  // namespace dashpot
