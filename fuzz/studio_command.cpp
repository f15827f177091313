// What a page of the studio sends: texts become commands or problems, edits change documents, request targets are taken
// apart. An edit that is accepted leaves a document that can be written and read back.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "request_guard.hpp"
#include "studio_commands.hpp"
#include "studio_document.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const studio::ParsedCommand parsed = studio::parse_command(text);
  if (parsed.command.has_value() != parsed.problems.empty()) std::abort();
  if (parsed.command)
    if (const auto* edit = std::get_if<studio::command::Edit>(&*parsed.command)) {
      static const JsonValue document =
          parse_json(R"({"title": "x", "bodies": [{"pins": [], "damping": [{"examples": [{"gamma": 1}]}]}]})", "")
              .value;
      try {
        const JsonValue next = studio::changed(document, edit->changes);
        const std::string written = write_json(next);
        if (write_json(parse_json(written, "").value) != written) std::abort();
        studio::what_is_built(next);
      } catch (const Error&) {
      }
    }
  const studio::Target target = studio::parse_target(text);
  if (!target.path.empty() && target.path.front() != '/') std::abort();
  return 0;
}
