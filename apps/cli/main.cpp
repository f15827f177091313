#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "command_line.hpp"
#include "standard_streams.hpp"

int main(int argc, char** argv) {
  dashpot::cli::hold_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error with a message, as a full disk is
  const int code = dashpot::cli::run_command_line(argc, argv);
  std::fflush(nullptr);
  // Not `return`: exit handlers of libraries can fail after everything is done. That of HDF5 writes to files it could
  // not write before (a full disk), that of OpenBLAS waits for threads that could not be started (little memory).
  ::_exit(code);
}
