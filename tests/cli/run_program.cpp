#include "run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace dashpot::testing {
namespace {

[[noreturn]] void execute(const std::vector<std::string>& arguments, const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) ::putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> argv{const_cast<char*>(DASHPOT_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(DASHPOT_PROGRAM, argv.data());
  ::_exit(127);
}

/// Appends what is there; false at the end of the stream.
bool drain(int fd, std::string& text) {
  char buffer[4096];
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, bool terminal, const std::vector<std::string>& variables) {
  if (terminal) {
    pid_ = ::forkpty(&err_, nullptr, nullptr, nullptr);
    if (pid_ == 0) execute(arguments, variables);
    return;
  }
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    execute(arguments, variables);
  }
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {out_, err_})
    if (fd >= 0) ::close(fd);
}

void Program::signal(int number) {
  if (pid_ > 0) ::kill(pid_, number);
}

ProgramResult Program::wait() {
  const auto start = std::chrono::steady_clock::now();
  ProgramResult result;
  pollfd streams[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  std::string* texts[2] = {&result.out, &result.err};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    ::poll(streams, 2, -1);
    for (int i = 0; i < 2; ++i)
      if (streams[i].fd >= 0 && streams[i].revents != 0 && !drain(streams[i].fd, *texts[i])) streams[i].fd = -1;
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

ProgramResult run_dashpot(const std::vector<std::string>& arguments) { return Program(arguments).wait(); }

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "dashpot_cli_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& content) const {
  const std::string file = path(name);
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

}  // namespace dashpot::testing
