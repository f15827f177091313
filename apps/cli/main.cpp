#include "command_line.hpp"
#include "standard_streams.hpp"

int main(int argc, char** argv) {
  dashpot::cli::hold_standard_streams();
  return dashpot::cli::run_command_line(argc, argv);
}
