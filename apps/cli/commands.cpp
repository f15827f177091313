#include "commands.hpp"

namespace dashpot::cli {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> table = {
      {"damping", "Convert damping: ζ, loss factor, Rayleigh α β, lost per cycle, settle time", setup_damping},
      {"completion", "Print a completion script for bash, zsh or fish", setup_completion},
      {"man", "Print the manual page (roff)", setup_man},
  };
  return table;
}

}  // namespace dashpot::cli
