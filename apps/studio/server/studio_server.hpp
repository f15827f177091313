#pragma once
// HTTP and WebSocket on 127.0.0.1 for one session (docs/design/0020-studio.md). One thread serves all sockets; each
// connection is a chain of asynchronous calls, so that nothing waits for a slow peer. What computes long (pictures,
// exports, lists of files) runs in two further threads.
//
// Limits: 32 connections (later ones get 503), 16 KiB of request header, 64 MiB of an uploaded mesh, 64 KiB of a
// command, 10 s for a handshake; of what waits to be sent to a page one frame and 64 texts, more closes it.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "studio_session.hpp"

namespace dashpot::studio {

struct ServerOptions {
  unsigned short port = 0;              ///< 0: any that is free
  std::string token;                    ///< empty: a random one
  std::vector<std::string> more_hosts;  ///< further values of Host, "name" or "name:port"
};

class StudioServer {
 public:
  /// Listens at once. dashpot::Error where the port cannot be had. `session` must outlive this.
  StudioServer(StudioSession& session, ServerOptions options);
  ~StudioServer();
  StudioServer(const StudioServer&) = delete;
  StudioServer& operator=(const StudioServer&) = delete;

  unsigned short port() const;
  /// "http://127.0.0.1:8080/?token=..."
  std::string address() const;
  const std::string& token() const;
  /// Connections at this moment.
  std::size_t num_connections() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dashpot::studio
