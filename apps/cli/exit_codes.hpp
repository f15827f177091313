#pragma once
// What the exit code of `dashpot` means; printed in the man page from here.
namespace dashpot::cli {

enum ExitCode : int {
  exit_ok = 0,
  exit_target_missed = 1,  ///< the work was done, a target or claim was not met
  exit_usage = 2,          ///< the command line cannot be understood
  exit_bad_input = 3,      ///< a file, scene or value cannot be used
  exit_diverged = 4,       ///< the numbers went wrong; the last good state was kept
  exit_internal = 70,      ///< a fault of the program itself
  exit_interrupted = 130,  ///< Ctrl-C, SIGTERM or SIGHUP; a run leaves a valid checkpoint
};

}  // namespace dashpot::cli
