#pragma once
// Ctrl-C, SIGTERM and SIGHUP. The first signal asks loops to stop: those that poll interrupted() end by themselves and
// leave what they have. Where nobody polls within a second (meshing, building a scene, a long Newton step) a watching
// thread ends the program: a run keeps a checkpoint of the state before its step, an output folder loses its lock. A
// second signal ends the program at once. The exit code is 130 in all cases; files are written atomically, so nothing
// is left half-written.
#include <functional>
#include <string>

namespace dashpot::cli {

/// Catches SIGINT, SIGTERM and SIGHUP from now on.
void catch_interrupts();
/// True once the user asked to stop; loops poll it once per step, and end soon when it is true.
bool interrupted();

/// RunHooks::around_step: takes the step, and lets the watching thread abandon it. `farewell` is told to the user after
/// the checkpoint was left.
void interruptible_step(const std::function<void()>& step, const std::function<void()>& abandon,
                        const std::string& farewell);
/// What to remove when the program is ended by a signal: a lock file, and its folder if that is new and still empty.
/// An empty name: nothing.
void remove_when_interrupted(const std::string& lock_file, const std::string& new_folder);

}  // namespace dashpot::cli
