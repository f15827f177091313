#include "command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/version.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"

namespace dashpot::cli {
namespace {

constexpr const char* description = "Dashpot: design, simulate and measure the damping of deformable bodies.";

void add_common_options(CLI::App& app, ConsoleSettings& settings) {
  const std::string group = "Common options";
  app.add_flag("--json", settings.json, "Print one JSON document on stdout")->group(group);
  app.add_flag("-q,--quiet", settings.quiet, "Print no messages, only data and errors")->group(group);
  app.add_flag("-v,--verbose", settings.verbosity, "Print more messages")->group(group);
  app.add_option("--threads", settings.threads, "Threads to use (default: all cores); results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->group(group)
      ->type_name("N");
}

void build_app(CLI::App& app, Session& session) {
  app.name("dashpot");
  app.set_version_flag("--version",
                       fmt::format("dashpot {} ({}, {}, {})", version(), commit(), build_flags(), compiler()));
  app.get_formatter()->column_width(32);
  app.require_subcommand(0, 1);
  app.footer("'dashpot COMMAND --help' explains a command. Start with 'dashpot demo'.");
  add_common_options(app, session.console.settings);
  for (const Command& command : all_commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    command.setup(*sub, session);
    add_common_options(*sub, session.console.settings);
  }
  session.app = &app;
}

std::string overview(const Console& console) {
  std::string text = fmt::format("{}\n\n", description);
  text += "  " + console.bold("dashpot demo") +
          "                    a bar rings under several dampings; ends with a report\n";
  text += "  " + console.bold("dashpot run SCENE --out DIR") + "     simulate a scene: ledger, probes, report\n";
  text +=
      "  " + console.bold("dashpot damping --zeta 0.02 --f \"3 Hz\"") + "   what a damping number means\n\nCommands:\n";
  for (const Command& command : all_commands()) text += fmt::format("  {:<11} {}\n", command.name, command.help);
  return text + "\n'dashpot COMMAND --help' explains a command; 'dashpot man | man -l -' shows the manual.";
}

/// The word that should have been a command, or empty.
std::string unknown_command(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--threads") {
      ++i;
    } else if (words[i].empty() || words[i][0] != '-') {
      const auto& table = all_commands();
      const bool known = std::any_of(table.begin(), table.end(), [&](const Command& c) { return c.name == words[i]; });
      return known ? std::string() : words[i];
    }
  }
  return {};
}

Problem unknown_command_problem(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.push_back(command.name);
  const std::string near = nearest_name(word, names);
  return {"dashpot", fmt::format("unknown command '{}'", word), "",
          near.empty() ? "Run 'dashpot' to see all commands" : fmt::format("Did you mean 'dashpot {}'?", near)};
}

/// A usage error in our words: CLI11's own, with the nearest option name where an option is unknown.
Problem usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& scope = chosen.empty() ? app : *chosen.front();
  const std::string place = chosen.empty() ? "dashpot" : "dashpot " + scope.get_name();
  std::string found = error.what(), remedy;
  std::vector<std::string> names;
  for (const CLI::Option* option : scope.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : app.remaining(true)) {
    if (word.rfind("-", 0) != 0) continue;
    const std::string near = nearest_name(word.substr(0, word.find('=')), names);
    found = fmt::format("unknown option '{}'", word);
    if (!near.empty()) remedy = fmt::format("Did you mean '{}'? ", near);
    break;
  }
  return {place, found, "", remedy + fmt::format("'{} --help' lists the options.", place)};
}

int parse(CLI::App& app, Session& session, int argc, const char* const* argv) {
  Console& console = session.console;
  const std::vector<std::string> words(argv + 1, argv + argc);
  // A usage error may come before the parser saw --json; the answer must be JSON all the same.
  const bool wants_json = std::find(words.begin(), words.end(), "--json") != words.end();
  if (const std::string word = unknown_command(words); !word.empty()) {
    console.settings.json = wants_json;
    console.report({unknown_command_problem(word)}, exit_usage);
    return exit_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    session.action = [] { return static_cast<int>(exit_ok); };
  } catch (const CLI::ParseError& error) {
    console.settings.json = wants_json;
    console.report({usage_problem(app, error)}, exit_usage);
    return exit_usage;
  }
  if (!session.action) {
    session.action = [&console] {
      console.print(overview(console));
      return static_cast<int>(exit_ok);
    };
  }
  if (!app.get_subcommands().empty()) console.command = app.get_subcommands().front()->get_name();
  if (console.settings.threads > 0) set_num_threads(console.settings.threads);
  return exit_ok;
}

int guarded(Session& session) {
  Console& console = session.console;
  try {
    return session.action();
  } catch (const UsageError& error) {
    console.report(error.problems(), exit_usage);
    return exit_usage;
  } catch (const Error& error) {
    console.report(error.problems(), exit_bad_input);
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {  // names too long, circles of links, no permission
    console.report({{error.path1().string(), error.code().message(), "a file or folder that can be reached",
                     "check the name and the links in it"}},
                   exit_bad_input);
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    console.report({{"dashpot", "not enough memory for this task", "", "use a smaller mesh or close other programs"}},
                   exit_bad_input);
    return exit_bad_input;
  } catch (const std::exception& error) {
    console.report({{"dashpot", fmt::format("internal fault: {}", error.what()), "",
                     fmt::format("This is a mistake in dashpot {} ({}), not in your input; please report it", version(),
                                 commit())}},
                   exit_internal);
    return exit_internal;
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{description};
  Session session;
  build_app(app, session);
  if (const int code = parse(app, session, argc, argv); code != exit_ok) return code;
  catch_interrupts();
  const int code = guarded(session);
  // What did not fit into the buffer was written earlier; a failure then is known to ferror only.
  const bool has_lost_data = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (has_lost_data && code == exit_ok) {
    session.console.error("cannot write to standard output; check the disk or the pipe");
    return exit_bad_input;
  }
  return code;
}

}  // namespace dashpot::cli
