#include "claim.hpp"

#include <cmath>

#include <fmt/format.h>

namespace dashpot::cli {
namespace {

bool is_measured(const Claim& claim) {
  const double* number = std::get_if<double>(&claim.ours);
  return number == nullptr || std::isfinite(*number);
}

Claim judged(const std::string& id, const std::string& statement, ClaimValue paper, ClaimValue ours,
             const std::string& unit, ClaimValue tolerance, bool holds) {
  return {id,
          statement,
          std::move(paper),
          std::move(ours),
          unit,
          std::move(tolerance),
          holds ? Verdict::holds : Verdict::not_met,
          ""};
}

}  // namespace

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::not_met:
      return "NOT MET";
    case Verdict::not_reproduced:
      return "NOT REPRODUCED on our body";
    case Verdict::refuted:
      return "refuted";
    case Verdict::not_judged:
      return "not judged";
  }
  return "";
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::not_met:
      return "not_met";
    case Verdict::not_reproduced:
      return "not_reproduced";
    case Verdict::refuted:
      return "refuted";
    case Verdict::not_judged:
      return "not_judged";
  }
  return "";
}

std::string value_text(const ClaimValue& value, const std::string& unit) {
  const std::string shown = unit.empty() || unit == "1" ? "" : " " + unit;
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.4g}{}", *number, shown);
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  return "-";
}

Claim claim_at_most(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                    const std::string& unit, double bar) {
  return judged(id, statement, std::move(paper), ours, unit, fmt::format("<= {:g}", bar),
                std::isfinite(ours) && ours <= bar);
}

Claim claim_at_least(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                     const std::string& unit, double bar) {
  return judged(id, statement, std::move(paper), ours, unit, fmt::format(">= {:g}", bar),
                std::isfinite(ours) && ours >= bar);
}

Claim claim_near(const std::string& id, const std::string& statement, double target, double ours,
                 const std::string& unit, double tolerance) {
  return judged(id, statement, target, ours, unit, fmt::format("{:g} %", 100 * tolerance),
                std::abs(ours / target - 1) <= tolerance);
}

Claim claim_true(const std::string& id, const std::string& statement, bool ours) {
  return judged(id, statement, true, ours, "", std::string("true"), ours);
}

Claim reported(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
               const std::string& unit) {
  return not_judged(judged(id, statement, std::move(paper), ours, unit, std::string("reported"), false),
                    "it has no bar");
}

Claim only_if(bool condition, Claim claim, const std::string& otherwise) {
  if (condition) return claim;
  claim.verdict = Verdict::not_met;
  claim.reason = otherwise;
  return claim;
}

Claim refuted(Claim claim, const std::string& proof) {
  if (claim.verdict != Verdict::not_met || !is_measured(claim)) return claim;
  claim.verdict = Verdict::refuted;
  claim.reason = proof;
  return claim;
}

Claim on_our_body(Claim claim, const std::string& reason) {
  if (claim.verdict != Verdict::not_met || !is_measured(claim)) return claim;
  claim.verdict = Verdict::not_reproduced;
  claim.reason = reason;
  return claim;
}

Claim explained(Claim claim, const std::string& cause) {
  if (claim.verdict == Verdict::not_met && is_measured(claim)) claim.reason = cause;
  return claim;
}

Claim not_judged(Claim claim, const std::string& reason) {
  if (!is_measured(claim)) return claim;
  claim.verdict = Verdict::not_judged;
  claim.reason = reason;
  return claim;
}

}  // namespace dashpot::cli
