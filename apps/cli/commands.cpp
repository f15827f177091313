#include "commands.hpp"

namespace dashpot::cli {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> table = {
      {"damping", "Convert damping: ζ, loss factor, Rayleigh α β, lost per cycle, settle time", setup_damping},
      {"measure", "Measure frequency and damping ratio of a run or of a CSV file", setup_measure},
      {"reproduce", "Repeat an experiment of a paper and compare with what it claims", setup_reproduce},
      {"bench", "Measure how fast the pieces are on this machine", setup_bench},
      {"completion", "Print a completion script for bash, zsh or fish", setup_completion},
      {"man", "Print the manual page (roff)", setup_man},
  };
  return table;
}

}  // namespace dashpot::cli
