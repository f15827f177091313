#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "exit_codes.hpp"

namespace dashpot::cli {

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // Opened for the wrong direction: data that nobody can receive is an error, not a success.
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    // The lowest free number is `stream`. Without /dev/null no stream is left to say so, and files are in danger.
    if (opened != stream) ::_exit(exit_bad_input);
  }
}

}  // namespace dashpot::cli
