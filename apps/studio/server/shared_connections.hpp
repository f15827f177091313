#pragma once
// What the connections of a studio server share: the session, who may enter, the threads, and the list of connections,
// which are counted and can all be closed. Limits: docs/design/0020-studio.md. For the sources of the server alone:
// Boost stays out of everything else.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "request_guard.hpp"
#include "studio_session.hpp"

namespace dashpot::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Stream = beast::tcp_stream;  // its executor is that of one thread

inline constexpr std::size_t most_connections = 32, most_texts = 64;
inline constexpr std::uint32_t largest_header = 16 * 1024;
inline constexpr std::uint64_t largest_upload = std::uint64_t{64} << 20;
inline constexpr std::chrono::seconds handshake_time{10}, upload_time{120}, answer_time{30}, silent_time{60};
inline constexpr const char* subprotocol = "dashpot.studio.1";

/// What all connections share.
struct Shared {
  Shared(StudioSession& served, RequestGuard guarded) : session(served), guard(std::move(guarded)) {}
  StudioSession& session;
  RequestGuard guard;
  asio::io_context io{1};
  asio::thread_pool slow{2};
  std::atomic<std::size_t> num_connections = 0;

  /// Ends a connection; called in the thread of the sockets.
  using Closer = std::function<void()>;
  void keep(const void* connection, Closer closer) {
    const std::lock_guard lock(mutex_);
    closers_[connection] = std::move(closer);
  }
  void forget(const void* connection) {
    const std::lock_guard lock(mutex_);
    closers_.erase(connection);
  }
  void close_all() {
    std::map<const void*, Closer> closers;
    {
      const std::lock_guard lock(mutex_);
      closers.swap(closers_);
    }
    for (const auto& [connection, close] : closers) close();
  }

 private:
  std::mutex mutex_;
  std::map<const void*, Closer> closers_;
};

/// One of the connections that are counted, as long as it lives.
class Counted {
 public:
  explicit Counted(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) { ++shared_->num_connections; }
  ~Counted() {
    shared_->forget(this);
    --shared_->num_connections;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Shared& shared() const { return *shared_; }
  /// How it is closed when the server ends.
  void close_by(Shared::Closer closer) { shared_->keep(this, std::move(closer)); }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace dashpot::studio
