// `dashpot completion bash|zsh|fish`: scripts generated from the command table and the options declared by its
// commands.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"

namespace dashpot::cli {
namespace {

std::vector<const CLI::Option*> named_options(const CLI::App& app) {
  std::vector<const CLI::Option*> result;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty()) result.push_back(option);
  return result;
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Text inside single quotes of a shell; zsh's description syntax also gives brackets and colons a meaning.
std::string in_quotes(const std::string& text, bool for_zsh) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (for_zsh && (c == '[' || c == ']' || c == ':'))
      result += std::string("\\") + c;
    else
      result += c;
  }
  return "'" + result + "'";
}

std::string option_words(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* option : named_options(app))
    for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
  return words;
}

std::string bash_script(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* sub : subcommands(app)) {
    names += (names.empty() ? "" : " ") + sub->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", sub->get_name(), option_words(*sub));
  }
  return fmt::format(R"(# bash completion for dashpot: source <(dashpot completion bash)
_dashpot() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in --threads) i=$((i + 1)) ;; -*) ;; *) command="${{COMP_WORDS[i]}}"; break ;; esac
  done
  case "$command" in
    "") words="{} {}" ;;
{}  esac
  if [[ "$current" == -* || -z "$command" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _dashpot dashpot
)",
                     names, option_words(app), cases);
}

std::string zsh_script(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* sub : subcommands(app)) {
    names += fmt::format("    {}\n", in_quotes(sub->get_name() + ":" + sub->get_description(), false));
    cases += fmt::format("    {}) _arguments", sub->get_name());
    for (const CLI::Option* option : named_options(*sub)) {
      const bool takes_value = option->get_items_expected_max() > 0;
      std::string inner = in_quotes(option->get_description(), true);
      inner = inner.substr(1, inner.size() - 2);
      cases += fmt::format(" \\\n        '--{}{}[{}]{}'", option->get_lnames().front(), takes_value ? "=" : "", inner,
                           takes_value ? ":value:_files" : "");
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef dashpot
# zsh completion for dashpot: dashpot completion zsh > ~/.zsh/completions/_dashpot
_dashpot() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
{}  esac
}}
compdef _dashpot dashpot
)",
                     names, cases);
}

std::string fish_script(const CLI::App& app) {
  std::string text =
      "# fish completion for dashpot: dashpot completion fish > ~/.config/fish/completions/dashpot.fish\n";
  for (const CLI::App* sub : subcommands(app)) {
    text += fmt::format("complete -c dashpot -n __fish_use_subcommand -f -a {} -d {}\n", sub->get_name(),
                        in_quotes(sub->get_description(), false));
    for (const CLI::Option* option : named_options(*sub))
      text += fmt::format("complete -c dashpot -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", sub->get_name(),
                          option->get_lnames().front(), option->get_items_expected_max() > 0 ? " -r" : "",
                          in_quotes(option->get_description(), false));
  }
  return text;
}

}  // namespace

void setup_completion(CLI::App& app, Session& session) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.footer("Example: source <(dashpot completion bash)");
  app.callback([shell, &session] {
    session.action = [shell, &session] {
      const std::string script = *shell == "bash"  ? bash_script(*session.app)
                                 : *shell == "zsh" ? zsh_script(*session.app)
                                                   : fish_script(*session.app);
      session.console.print(script);
      session.console.print_json({{"shell", *shell}, {"script", script}});
      return static_cast<int>(exit_ok);
    };
  });
}

}  // namespace dashpot::cli
