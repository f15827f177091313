#include "commands.hpp"

namespace dashpot::cli {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> table = {
      {"completion", "Print a completion script for bash, zsh or fish", setup_completion},
      {"man", "Print the manual page (roff)", setup_man},
  };
  return table;
}

}  // namespace dashpot::cli
