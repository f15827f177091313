// `dashpot studio [SCENE]`: serves the studio on 127.0.0.1 until Ctrl-C, and opens it in a browser.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "page_assets.hpp"
#include "studio_server.hpp"

extern char** environ;

namespace dashpot::cli {
namespace {

namespace fs = std::filesystem;

struct StudioRequest {
  std::string scene, project;
  int port = 0;
  bool no_open = false, test = false;
  std::vector<std::string> hosts;
};

/// Asks the desktop for a browser; false where there is none to ask.
bool open_in_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  std::string program = "xdg-open", argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, program.c_str(), &silent, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&silent);
  if (started) std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  return started;
}

/// The project folder, and the scene's name in it.
studio::SessionOptions session_options(const StudioRequest& request) {
  studio::SessionOptions options;
  options.test = request.test;
  options.project = request.project.empty() ? fs::current_path() : fs::path(request.project);
  if (!fs::is_directory(options.project))
    throw Error(Problem{"--project", fmt::format("no folder {}", options.project.string()), "a folder that exists"});
  if (request.scene.empty()) return options;
  const fs::path scene = fs::weakly_canonical(fs::absolute(request.scene));
  if (!fs::exists(scene)) throw Error(Problem{request.scene, "no such file", "a scene (.json)"});
  const fs::path project = fs::weakly_canonical(fs::absolute(options.project));
  const fs::path inside = scene.lexically_relative(project);
  if (!inside.empty() && *inside.begin() != "..") {
    options.scene = inside.generic_string();
  } else if (request.project.empty()) {  // a scene elsewhere: its folder is the project
    options.project = scene.parent_path();
    options.scene = scene.filename().string();
  } else {
    throw Error(Problem{request.scene, "a scene outside the project folder", "a scene inside " + project.string(),
                        "choose another --project"});
  }
  return options;
}

int serve(const StudioRequest& request, const Console& console) {
  const studio::SessionOptions options = session_options(request);
  console.message(request.scene.empty() ? "preparing the koala" : "preparing " + request.scene);
  studio::StudioSession session(options);
  const studio::StudioServer server(session, {static_cast<unsigned short>(request.port), "", request.hosts});
  catch_interrupts();
  if (!studio::has_page())
    console.warning("this program was built without the studio's page: apt-get install nodejs npm, then ./dev build");
  console.print("studio: " + server.address());
  console.print_json({{"address", server.address()},
                      {"port", server.port()},
                      {"project", fs::absolute(options.project).string()},
                      {"has_page", studio::has_page()}});
  std::fflush(stdout);
  console.message(fmt::format("project folder: {}", fs::absolute(options.project).string()));
  if (!request.no_open && !request.test && !open_in_browser(server.address()))
    console.message("open the address above in a browser; from another machine: ssh -L " +
                    fmt::format("{0}:127.0.0.1:{0} THIS_MACHINE", server.port()));
  console.message("Ctrl-C ends it");
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  console.message("studio: ended");
  return exit_ok;
}

}  // namespace

void setup_studio(CLI::App& app, Session& session) {
  auto o = std::make_shared<StudioRequest>();
  app.add_option("scene", o->scene, "Scene (.json); without one a koala with four damping examples opens")
      ->type_name("SCENE");
  app.add_option("--port", o->port, "Port on 127.0.0.1 (default: one that is free)")->check(CLI::Range(0, 65535));
  app.add_flag("--no-open", o->no_open, "Print the address, open no browser");
  app.add_option("--project", o->project,
                 "Project folder: nothing outside is read or written (default: the working folder, or that of SCENE)")
      ->type_name("DIR");
  app.add_option("--allow-host", o->hosts, "A further name by which a tunnel leads here (NAME or NAME:PORT)")
      ->type_name("HOST");
  app.add_flag("--test", o->test, "For tests: time passes on command only");
  app.footer("Example: dashpot studio, then open the address that it prints");
  app.callback([o, &session] { session.action = [o, &session] { return serve(*o, session.console); }; });
}

}  // namespace dashpot::cli
