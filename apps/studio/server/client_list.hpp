#pragma once
// The pages of a session: who gets which text and frame. A page has at most one frame that it did not acknowledge; the
// next one it gets is the newest there is. Safe to use from any thread.

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "studio_session.hpp"

namespace dashpot::studio {

class ClientList {
 public:
  ClientId add(ClientCallbacks callbacks);
  /// Afterwards no callback of this client is called any more.
  void remove(ClientId client);
  std::vector<ClientId> all() const;
  bool empty() const;

  void send(ClientId client, const std::string& text);
  /// A text for each, by the function given.
  void send_all(const std::function<Bytes(ClientId)>& text_for);
  /// The newest frame: goes at once to those that wait for one.
  void put_frame(Bytes frame);
  /// The client has drawn its last frame.
  void acknowledge(ClientId client);

  void heard(ClientId client);
  /// Since the client was last heard [s].
  double silence_of(ClientId client) const;

 private:
  struct Client {
    ClientCallbacks callbacks;
    bool waits = true;  ///< for a frame
    std::uint64_t last_frame = 0;
    std::chrono::steady_clock::time_point heard = std::chrono::steady_clock::now();
    bool greeted = false;  ///< `hello` has been sent: nothing goes before it
  };
  void give_frame(Client& client);

  mutable std::mutex mutex_;
  std::map<ClientId, Client> clients_;
  ClientId last_ = 0;
  Bytes frame_;
  std::uint64_t frame_number_ = 0;
};

}  // namespace dashpot::studio
