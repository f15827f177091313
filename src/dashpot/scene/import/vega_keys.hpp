#pragma once
// The keys of a VegaFEM .config text: "*key" on one line, its value on the next, '#' for comments. Remembers which keys
// were asked for, so that the others can be named.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/error.hpp"

namespace dashpot {

class VegaKeys {
 public:
  struct Entry {
    std::string value;
    int line = 0;
  };

  VegaKeys(std::string_view text, std::string name);

  bool has(const std::string& key) const { return entries_.count(key) != 0; }
  int line_of(const std::string& key) const;
  /// The value of a key, which counts as used from now on; "__none" means absent.
  std::optional<Entry> take(const std::string& key);
  /// A finite number; anything else is an error that is remembered, and `otherwise` is returned.
  double number(const std::string& key, double otherwise);

  /// line 0: about the file as a whole.
  void error(int line, std::string found, std::string expected, std::string remedy = {});
  void errors_of(const Error& error);
  void warn(int line, std::string found, std::string remedy);
  /// Warns of every key that nobody took.
  void warn_of_unused();

  const std::string& name() const { return name_; }
  const std::vector<Problem>& errors() const { return errors_; }
  const std::vector<Problem>& warnings() const { return warnings_; }

 private:
  std::string place(int line) const;
  void split(std::string_view text);

  std::string name_;
  std::map<std::string, Entry> entries_;
  std::set<std::string> used_;
  std::vector<Problem> errors_, warnings_;
};

}  // namespace dashpot
