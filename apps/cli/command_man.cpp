// `dashpot man`: the manual page in roff, from the command table and the options declared by its commands.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/version.hpp"
#include "exit_codes.hpp"

namespace dashpot::cli {
namespace {

/// Text that roff prints as it stands: backslashes and hyphens escaped, no line begins with a control character.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string option_paragraph(const CLI::Option& option) {
  std::string names = option.get_name(false, true);
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty()) names += " " + option.get_type_name();
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(names), roff(option.get_description()));
}

std::string command_section(const CLI::App& command) {
  std::string synopsis = "dashpot " + command.get_name(), paragraphs;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == "Common options" || option == command.get_help_ptr()) continue;
    if (option->get_positional())
      synopsis += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
    paragraphs += option_paragraph(*option);
  }
  std::string text = fmt::format(".SS \"{}\"\n{}.\n", roff(synopsis), roff(command.get_description()));
  text += paragraphs;
  if (!command.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
  return text;
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(".TH DASHPOT 1 \"\" \"dashpot {}\" \"User commands\"\n", version());
  text += ".SH NAME\ndashpot \\- design, simulate and measure the damping of deformable bodies\n";
  text += ".SH SYNOPSIS\n\\fBdashpot\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n";
  text += roff(
      "Dashpot simulates elastic bodies and says where every joule went: what each damping took, what the integrator "
      "lost "
      "by itself. Data go to standard output, messages to standard error. Quantities carry units: \"5 ms\", \"12 "
      "kPa\", "
      "\"3 Hz\", \"5 %\".\n");
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    text += command_section(*command);
  text += ".SH COMMON OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) text += option_paragraph(*option);
  text += ".SH EXIT STATUS\n";
  const std::pair<int, const char*> codes[] = {
      {exit_ok, "all went well"},
      {exit_target_missed, "the work was done, but a target or a claim was missed"},
      {exit_usage, "the command line could not be understood"},
      {exit_bad_input, "a file, a scene or a value cannot be used"},
      {exit_diverged, "the simulation diverged; the last good state was saved"},
      {exit_internal, "a fault of dashpot itself"},
      {exit_interrupted, "interrupted (Ctrl-C, SIGTERM, SIGHUP); a run leaves a valid checkpoint"}};
  for (const auto& [code, meaning] : codes) text += fmt::format(".TP\n{}\n{}\n", code, roff(meaning));
  text += ".SH ENVIRONMENT\n.TP\nNO_COLOR\nNo colors when set to anything.\n";
  return text;
}

}  // namespace

void setup_man(CLI::App& app, Session& session) {
  app.footer("Example: dashpot man | man -l -");
  app.callback([&session] {
    session.action = [&session] {
      const std::string page = manual(*session.app);
      session.console.print(page);
      session.console.print_json({{"roff", page}});
      return static_cast<int>(exit_ok);
    };
  });
}

}  // namespace dashpot::cli
