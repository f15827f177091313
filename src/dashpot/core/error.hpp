#pragma once
// Trouble that the user can mend. Three kinds of trouble exist in Dashpot:
//   * the user is wrong          -> dashpot::Error, carrying every problem found at once;
//   * the numbers went wrong     -> a status in the result (StepReport, SolveStatus), never an exception;
//   * we are wrong               -> assertion.
// The library never prints, exits or aborts.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dashpot {

/// One thing wrong with an input: what was found, where, what was expected, what to do about it.
struct Problem {
  enum class Severity { error, warning };
  std::string place = {};     ///< "scene.json:31:18: /bodies/0/material/young", "part.msh:12"; may be empty
  std::string found = {};     ///< what is there ("poisson = 0.7")
  std::string expected = {};  ///< what should be there ("-1 < poisson < 0.5")
  std::string remedy = {};    ///< what to do ("use 0.49 for rubber"); may be empty
  Severity severity = Severity::error;

  /// "PLACE: FOUND. Expected EXPECTED. REMEDY." on one line.
  std::string text() const;
};

/// Thrown when an input cannot be used. Carries all problems found, not only the first.
class Error : public std::runtime_error {
 public:
  explicit Error(Problem problem);
  explicit Error(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Nearest name in `known` to `word` by edit distance; empty when nothing is close.
std::string nearest_name(const std::string& word, const std::vector<std::string>& known);

}  // namespace dashpot
