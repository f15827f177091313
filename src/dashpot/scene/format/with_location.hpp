#pragma once
// Rooms below scene/ do not know where in a file a number was written; this adds it to their errors.

#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/error.hpp"

namespace dashpot {

/// Calls action(); problems it throws get this place unless they have one in a file. Words in its stead ("material 0")
/// go before what was found.
template <class Action>
auto with_location(const std::string& place, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.place.find_first_of(":/") != std::string::npos) continue;
      if (!problem.place.empty()) problem.found = problem.place + ": " + problem.found;
      problem.place = place;
    }
    throw Error(std::move(problems));
  }
}

}  // namespace dashpot
