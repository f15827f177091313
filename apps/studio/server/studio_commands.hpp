#pragma once
// What a page may ask for (docs/design/0020-studio.md): a text becomes a typed command, or a list of everything that is
// wrong with it. Pure: nothing is looked up, nothing is done. Numbers are finite and within the limits said here.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::studio {

inline constexpr std::size_t longest_text = 64 * 1024;  ///< of a command [bytes]

/// What a viewport shows. The first three are worlds, the others shapes that swing.
struct View {
  enum class Kind { designed, reference, undamped, example, mode } kind = Kind::designed;
  std::string name;  ///< of an example
  int index = 1;     ///< of a mode, from 1
  bool is_world() const { return kind != Kind::example && kind != Kind::mode; }
  bool operator==(const View&) const = default;
};
std::string to_string(View::Kind kind);

namespace command {

struct Play {};
struct Pause {};
struct Reset {};
struct Step {
  int count = 1;
};
struct Speed {
  double factor = 1;
};
struct Mouse {
  bool take = true;
};
struct Pick {
  int view = 0;
  Vec3 origin = Vec3::Zero(), direction = Vec3::Zero();  ///< [m], any length above 0
};
struct Grab {
  int node = 0;
  double radius = 0, stiffness = 0;  ///< [m], [N/m]; 0: automatic
  bool poses = false;                ///< while time stands the body gives way to the pull, and stays so when let go
};
struct Drag {
  Vec3 target = Vec3::Zero();  ///< [m]
};
struct Release {};
struct Poke {
  int node = 0;
  Vec3 impulse = Vec3::Zero();  ///< [N s]
};
struct Pin {
  bool holds = true;  ///< false: unpin
  int node = 0;
  double radius = 0;  ///< [m]; 0: automatic
};
struct Set {
  std::map<std::string, std::vector<double>> values;  ///< by name of the parameter
};
/// One change of the document.
struct Change {
  std::string at;                  ///< JSON pointer; "/-" at its end appends
  std::optional<JsonValue> value;  ///< none: remove
};
struct Edit {
  std::vector<Change> changes;
  bool quiet = false;
};
struct Views {
  std::vector<View> views;
};
struct Modes {
  int count = 8;
};
struct MakeExample {
  enum class From { mode, current, pose } from = From::current;
  int index = 1;         ///< of the mode
  double amplitude = 0;  ///< largest displacement of the mode [m]
  std::string name;
  bool relaxed = false;
};
struct Target {
  std::string example;
  double from = 1, left = 0;  ///< multiples of the example
};
struct Design {
  std::vector<Target> targets;
};
struct Cancel {
  int job = 0;
};
struct Equivalent {
  double frequency = 0;  ///< [Hz]; 0: that of `mode`
  int mode = 0;
  enum class Measure { zeta, lost_per_cycle, settle_time } measure = Measure::zeta;
  double value = 0;
};
struct Scrub {
  double time = 0;  ///< [s]
};
struct Open {
  std::string path;
  bool is_run = false;
};
struct Save {
  std::string path;
};
struct Acknowledge {
  double frame = 0;
};

}  // namespace command

using Command = std::variant<command::Play, command::Pause, command::Reset, command::Step, command::Speed,
                             command::Mouse, command::Pick, command::Grab, command::Drag, command::Release,
                             command::Poke, command::Pin, command::Set, command::Edit, command::Views, command::Modes,
                             command::MakeExample, command::Design, command::Cancel, command::Equivalent,
                             command::Scrub, command::Open, command::Save, command::Acknowledge>;

struct ParsedCommand {
  std::optional<double> id;        ///< for the reply, also where the rest is wrong
  std::optional<Command> command;  ///< none: see problems
  std::vector<Problem> problems;
};

/// Never throws, whatever the bytes.
ParsedCommand parse_command(std::string_view text);

}  // namespace dashpot::studio
