#pragma once
// Ctrl-C and SIGTERM ask long loops to stop at the next step, so that they can leave a valid checkpoint. A second
// Ctrl-C ends the program at once (files are written atomically, so nothing is left half-written).
namespace dashpot::cli {

/// Catches SIGINT and SIGTERM from now on.
void catch_interrupts();
/// For commands that write nothing until they are done: signals have their usual deadly effect at once.
void let_interrupts_kill();
/// True once the user asked to stop; loops poll it once per step.
bool interrupted();

}  // namespace dashpot::cli
