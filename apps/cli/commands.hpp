#pragma once
// The one table of commands: help, completion and man page are made from it. A new command is one file
// command_<name>.cpp with a setup function, declared here and listed in commands.cpp.

#include <functional>
#include <string>
#include <vector>

#include "console.hpp"

namespace CLI {
class App;
}

namespace dashpot::cli {

/// What a setup function fills in: the options bind to it, and `action` is what the chosen command does.
struct Session {
  Console console;
  std::function<int()> action;    ///< returns an ExitCode
  const CLI::App* app = nullptr;  ///< the whole command line, for completion and man page
};

struct Command {
  std::string name;
  std::string help;  ///< one line
  /// Declares options on `app` and makes them set session.action when the command is chosen.
  void (*setup)(CLI::App& app, Session& session);
};

/// All commands in the order in which a newcomer meets them.
const std::vector<Command>& all_commands();

void setup_bench(CLI::App& app, Session& session);
void setup_check(CLI::App& app, Session& session);
void setup_compare(CLI::App& app, Session& session);
void setup_completion(CLI::App& app, Session& session);
void setup_convert(CLI::App& app, Session& session);
void setup_damping(CLI::App& app, Session& session);
void setup_design(CLI::App& app, Session& session);
void setup_demo(CLI::App& app, Session& session);
void setup_examples(CLI::App& app, Session& session);
void setup_export(CLI::App& app, Session& session);
void setup_fit(CLI::App& app, Session& session);
void setup_gallery(CLI::App& app, Session& session);
void setup_identify(CLI::App& app, Session& session);
void setup_info(CLI::App& app, Session& session);
void setup_man(CLI::App& app, Session& session);
void setup_measure(CLI::App& app, Session& session);
void setup_mesh(CLI::App& app, Session& session);
void setup_modes(CLI::App& app, Session& session);
void setup_parameters(CLI::App& app, Session& session);
void setup_learn(CLI::App& app, Session& session);
void setup_sensitivity(CLI::App& app, Session& session);
void setup_realtime(CLI::App& app, Session& session);
void setup_render(CLI::App& app, Session& session);
void setup_reproduce(CLI::App& app, Session& session);
void setup_run(CLI::App& app, Session& session);
void setup_scan(CLI::App& app, Session& session);
void setup_schema(CLI::App& app, Session& session);
void setup_studio(CLI::App& app, Session& session);

}  // namespace dashpot::cli
