#include "dashpot/core/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace dashpot {
namespace {

void append_sentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!text.empty() && text.back() != ' ') text += ' ';
  const std::size_t first = text.size();
  text += sentence;
  // A sentence after a full stop begins with a capital, unless its first word is a unit or a key ("kg/m3", "rho_inf").
  const std::size_t end = std::min(sentence.find_first_of(" ,:;"), sentence.size());
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (first >= 2 && text[first - 2] == '.' &&
      std::all_of(sentence.begin(), sentence.begin() + static_cast<std::ptrdiff_t>(end), is_letter))
    text[first] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[first])));
  const char last = text.back();
  if (last != '.' && last != '?' && last != '!') text += '.';
}

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.text();
  }
  return text;
}

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Problem::text() const {
  std::string result = place.empty() ? std::string() : place + ": ";
  append_sentence(result, found);
  if (!expected.empty()) append_sentence(result, "Expected " + expected);
  append_sentence(result, remedy);
  return result;
}

Error::Error(Problem problem) : Error(std::vector<Problem>{std::move(problem)}) {}
Error::Error(std::vector<Problem> problems) : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

std::string nearest_name(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int best_distance = std::max<int>(2, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& name : known) {
    const int distance = edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace dashpot
