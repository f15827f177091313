#pragma once
// Claims: what a paper states, what we measured, and the verdict. Verdicts come from bars; what is not a finite number
// passes none.

#include <string>
#include <variant>
#include <vector>

namespace dashpot::cli {

/// A number, a truth or a word; empty where the paper gives none.
using ClaimValue = std::variant<std::monostate, double, bool, std::string>;

enum class Verdict {
  holds,
  not_met,         ///< our bar is missed
  not_reproduced,  ///< the paper saw it on its body, we do not see it on ours: a miss
  refuted,         ///< wrong for every body, by the proof or the section of the reference that `reason` names
  not_judged,      ///< it has no bar, or the variant is too small for it, as `reason` says
};
const char* verdict_text(Verdict verdict);
/// A name for files: "not_reproduced".
const char* verdict_name(Verdict verdict);

/// One statement of a paper and what became of it.
struct Claim {
  std::string id, statement;
  ClaimValue paper, ours;
  std::string unit;
  ClaimValue tolerance;
  Verdict verdict = Verdict::not_met;
  std::string reason;  ///< of a verdict that the bar alone does not explain

  bool holds() const { return verdict == Verdict::holds; }
  /// Makes the run exit with 1.
  bool is_missed() const { return verdict == Verdict::not_met || verdict == Verdict::not_reproduced; }
};

/// "0.5 %", "yes", a word, or "-".
std::string value_text(const ClaimValue& value, const std::string& unit);

/// Claims: `paper` is what the paper says, in a number or in words.
Claim claim_at_most(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                    const std::string& unit, double bar);
Claim claim_at_least(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                     const std::string& unit, double bar);
/// |ours / target - 1| <= tolerance.
Claim claim_near(const std::string& id, const std::string& statement, double target, double ours,
                 const std::string& unit, double tolerance);
Claim claim_true(const std::string& id, const std::string& statement, bool ours);
/// A figure that is told and has no bar; missed where it is no number.
Claim reported(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
               const std::string& unit);

/// The claim, missed unless `condition` holds too.
Claim only_if(bool condition, Claim claim, const std::string& otherwise);
/// A claim that is missed though it was measured is wrong for every body. `proof` says why, or where that is shown.
Claim refuted(Claim claim, const std::string& proof);
/// A claim that is missed though it was measured was seen by the paper on another body.
Claim on_our_body(Claim claim, const std::string& reason);
/// A claim that is missed though it was measured, with the cause that was found.
Claim explained(Claim claim, const std::string& cause);
/// A claim that this variant is too small, too short or too coarse to judge. What was not measured is still missed.
Claim not_judged(Claim claim, const std::string& reason);

}  // namespace dashpot::cli
