#pragma once
// One studio session: a scene, its worlds, and the pages that look at it (docs/design/0020-studio.md). It knows nothing
// of sockets: a connection brings texts and takes texts and frames.
//
// Threads. The session owns a simulation thread, which alone steps the worlds, and a worker for designs. All members
// may be called from any thread. None waits for a step, but those marked *slow* compute in the calling thread: not for
// the thread that serves sockets.
//
// Callbacks of a client are called from any thread, one at a time for all clients, with a lock held: they only put
// aside what they get and return; they must not call the session. After disconnect() has returned none is called.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "dashpot/core/error.hpp"

namespace dashpot::studio {

using ClientId = std::uint64_t;
using Bytes = std::shared_ptr<const std::string>;

struct SessionOptions {
  std::filesystem::path project = ".";  ///< nothing outside this folder is read or written
  std::string scene;                    ///< path in the project folder; empty: a koala that needs no files
  bool test = false;                    ///< time passes on `step` alone, frames follow commands
};

/// What a connection does with what the session sends.
struct ClientCallbacks {
  /// JSON text. Replies come in the order of the commands, but for `modes`; the first text is `hello`.
  std::function<void(Bytes text)> text;
  /// Binary frame. Never a second one before the first is acknowledged by an `ack` command: one slot is enough.
  std::function<void(Bytes frame)> frame;
};

/// The answer to an HTTP request.
struct Content {
  std::string type;  ///< media type
  std::string bytes;
  std::string filename;  ///< of a download; empty: none
};

class StudioSession {
 public:
  /// *Slow.* Compiles the scene and starts the threads. dashpot::Error where the scene is bad.
  explicit StudioSession(SessionOptions options);
  /// Stops all work at the next step and waits for it.
  ~StudioSession();
  StudioSession(const StudioSession&) = delete;
  StudioSession& operator=(const StudioSession&) = delete;

  /// A page that has opened its socket. `hello` and a frame follow through the callbacks.
  ClientId connect(ClientCallbacks callbacks);
  void disconnect(ClientId client);
  /// A text of a page, whatever it holds; what is wrong with it is answered through the callback. Where the queue of
  /// commands is full, the answer says so and nothing is queued.
  void receive(ClientId client, std::string_view text);

  /// GET /api/document: the scene as JSON.
  Content document() const;
  /// GET /api/registry. The same for all sessions.
  Content registry() const;
  /// GET /api/topology: the surface of what view `view` (from 0) shows. dashpot::Error where there is no such view.
  Content topology(int view) const;
  /// GET /api/files: scenes and runs of the project folder. *Slow.*
  Content files() const;
  /// GET /api/thumbnail: a picture (PNG) of an example. dashpot::Error where there is none of this name. *Slow.*
  Content thumbnail(const std::string& example) const;
  /// GET /api/export: the recorded motion as glb, usda, pc2, csv (probes) or report (HTML). *Slow.*
  Content export_file(const std::string& kind) const;
  /// POST /api/mesh: puts a mesh into the project folder; JSON of path and size. dashpot::Error where it is no mesh or
  /// the name is no plain file name. *Slow.*
  Content upload_mesh(const std::string& name, std::string_view bytes);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// {"error", "problems": [{"where", "text"}]}: how an Error is told to a page, in replies and in answers to requests.
std::string error_as_json(const Error& error);

}  // namespace dashpot::studio
