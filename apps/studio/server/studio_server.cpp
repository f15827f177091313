#include "studio_server.hpp"

#include <future>
#include <thread>

#include <boost/asio/steady_timer.hpp>

#include <fmt/format.h>

#include "http_connection.hpp"

namespace dashpot::studio {

class StudioServer::Implementation {
 public:
  Implementation(StudioSession& session, ServerOptions options)
      : shared_(std::make_shared<Shared>(session, RequestGuard("", 0, {}))),
        acceptor_(shared_->io),
        retry_(shared_->io) {
    const Tcp::endpoint endpoint(asio::ip::address_v4::loopback(), options.port);
    beast::error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw Error(Problem{fmt::format("127.0.0.1:{}", options.port), error.message(), "a port that is free",
                          "choose another with --port, or leave it out"});
    port_ = acceptor_.local_endpoint().port();
    shared_->guard =
        RequestGuard(options.token.empty() ? random_token() : options.token, port_, std::move(options.more_hosts));
    accept();
    std::packaged_task<void()> work([shared = shared_] { shared->io.run(); });
    ended_ = work.get_future();
    thread_ = std::thread(std::move(work));
  }

  ~Implementation() {
    shared_->slow.join();
    asio::post(shared_->io, [this] {
      beast::error_code ignored;
      acceptor_.close(ignored);
      retry_.cancel();
      shared_->close_all();
    });
    // What is closed ends its calls; a connection that does not is left.
    if (ended_.wait_for(std::chrono::seconds(2)) != std::future_status::ready) shared_->io.stop();
    thread_.join();
  }

  unsigned short port() const { return port_; }
  const Shared& shared() const { return *shared_; }

 private:
  void accept() {
    acceptor_.async_accept([this](beast::error_code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // too many open files, for one: go on when some are closed
        retry_.expires_after(std::chrono::milliseconds(100));
        return retry_.async_wait([this](beast::error_code stopped) {
          if (!stopped) accept();
        });
      }
      serve(std::move(socket));
      accept();
    });
  }

  void serve(Tcp::socket socket) {
    beast::error_code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    if (shared_->num_connections >= most_connections) {
      static constexpr std::string_view busy =
          "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 21\r\nConnection: "
          "close\r\n\r\ntoo many connections\n";
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(busy), ignored);
      socket.shutdown(Tcp::socket::shutdown_send, ignored);
      return;
    }
    std::make_shared<HttpConnection>(std::make_unique<Counted>(shared_), std::move(socket))->read();
  }

  std::shared_ptr<Shared> shared_;
  Tcp::acceptor acceptor_;
  asio::steady_timer retry_;
  unsigned short port_ = 0;
  std::future<void> ended_;
  std::thread thread_;
};

StudioServer::StudioServer(StudioSession& session, ServerOptions options)
    : implementation_(std::make_unique<Implementation>(session, std::move(options))) {}
StudioServer::~StudioServer() = default;

unsigned short StudioServer::port() const { return implementation_->port(); }
const std::string& StudioServer::token() const { return implementation_->shared().guard.token(); }
std::size_t StudioServer::num_connections() const { return implementation_->shared().num_connections; }
std::string StudioServer::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port(), token()); }

}  // namespace dashpot::studio
