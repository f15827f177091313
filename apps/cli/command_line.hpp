#pragma once
namespace dashpot::cli {

/// Parses the command line, runs the command, turns every exception into messages; returns the exit code.
int run_command_line(int argc, const char* const* argv);

}  // namespace dashpot::cli
