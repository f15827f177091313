// `dashpot schema`: the JSON Schema of scenes, from the registry of models; also as tables for people.
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/scene/format/schema.hpp"
#include "exit_codes.hpp"

namespace dashpot::cli {

void setup_schema(CLI::App& app, Session& session) {
  auto tables = std::make_shared<bool>(false);
  app.add_flag("--tables", *tables, "Print Markdown tables of all models and parameters instead");
  app.footer("Example: dashpot schema > scene.schema.json");
  app.callback([tables, &session] {
    session.action = [tables, &session] {
      const std::string schema = write_json(scene_schema());
      session.console.print(*tables ? scene_tables() : schema);
      if (*tables)
        session.console.print_json({{"tables", scene_tables()}});
      else
        session.console.print_json({{"json_schema", nlohmann::ordered_json::parse(schema)}});
      return static_cast<int>(exit_ok);
    };
  });
}

}  // namespace dashpot::cli
