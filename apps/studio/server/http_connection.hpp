#pragma once
// A connection of a browser: header, guard, body, answer. What is slow is answered by other threads. An upgrade hands
// the stream on to a SocketConnection.

#include <optional>

#include <boost/asio/post.hpp>

#include "dashpot/core/version.hpp"
#include "http_routes.hpp"
#include "socket_connection.hpp"

namespace dashpot::studio {

inline std::string header_of(const http::fields& fields, http::field name) { return std::string(fields[name]); }

/// A connection that speaks HTTP, until it asks to become a socket.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::unique_ptr<Counted> counted, Tcp::socket socket)
      : counted_(std::move(counted)), stream_(std::move(socket)) {}

  void read() {
    counted_->close_by([weak = weak_from_this()] {
      beast::error_code ignored;
      if (const auto self = weak.lock()) self->stream_.socket().close(ignored);
    });
    request_ = {};
    parser_.emplace();
    parser_->header_limit(largest_header);
    parser_->body_limit(largest_upload);
    stream_.expires_after(handshake_time);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (error == http::error::header_limit)
                                return self->write(text_answer(431, "the header is too long"), false);
                              if (error == http::error::body_limit)
                                return self->write(text_answer(413, "more than 64 MiB"), false);
                              if (!error) self->header();
                            });
  }

 private:
  void header() {
    const auto& request = parser_->get();
    request_.method = std::string(request.method_string());
    request_.target = parse_target({request.target().data(), request.target().size()});
    const std::string& path = request_.target.path;
    if (path.empty()) return write(text_answer(400, "this is no path"), false);
    RequestHeaders headers{header_of(request, http::field::host), header_of(request, http::field::origin), {}};
    headers.token = request_.target.query.contains("token") ? request_.target.query["token"]
                                                            : std::string(request["X-Dashpot-Token"]);
    const std::string refusal = counted_->shared().guard.refusal(headers, needs_token(path));
    if (!refusal.empty()) return write(text_answer(403, refusal), false);
    if (websocket::is_upgrade(request)) return upgrade(path);
    const bool has_body = request.find(http::field::content_length) != request.end() || request.chunked();
    if (!has_body || parser_->is_done()) return respond();
    if (!takes_body(request_.method, path)) return write(text_answer(413, "no body is expected here"), false);
    stream_.expires_after(upload_time);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error == http::error::body_limit)
        return self->write(text_answer(413, "more than 64 MiB: give the path of the mesh in the scene instead"), false);
      if (error) return;
      self->request_.body = std::move(self->parser_->get().body());
      self->respond();
    });
  }

  void upgrade(const std::string& path) {
    if (path != "/socket") return write(text_answer(404, "the socket is at /socket"), false);
    stream_.expires_never();
    const auto request = parser_->release();
    std::make_shared<SocketConnection>(std::move(counted_), std::move(stream_))->accept(request);
  }

  void respond() {
    const bool keeps = parser_->get().keep_alive();
    if (!is_slow(request_.target.path)) return write(answer(counted_->shared().session, request_), keeps);
    stream_.expires_never();
    asio::post(counted_->shared().slow, [self = shared_from_this(), keeps] {
      HttpAnswer made = answer(self->counted_->shared().session, self->request_);
      asio::post(self->stream_.get_executor(),
                 [self, keeps, made = std::move(made)]() mutable { self->write(std::move(made), keeps); });
    });
  }

  void write(HttpAnswer made, bool keeps) {
    http::response<http::string_body> response{static_cast<http::status>(made.status), 11};
    response.set(http::field::server, "dashpot/" + version());
    response.set(http::field::content_type, made.content.type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Content-Security-Policy",
                 "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' "
                 "ws: wss:");
    if (!made.content.filename.empty())
      response.set(http::field::content_disposition, "attachment; filename=\"" + made.content.filename + "\"");
    response.keep_alive(keeps);
    response.body() = std::move(made.content.bytes);
    response.prepare_payload();
    response_ = std::move(response);
    stream_.expires_after(answer_time);
    http::async_write(stream_, response_, [self = shared_from_this(), keeps](beast::error_code error, std::size_t) {
      if (error) return;
      if (keeps) return self->read();
      beast::error_code ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    });
  }

  std::unique_ptr<Counted> counted_;
  Stream stream_;
  beast::flat_buffer buffer_{largest_header + (std::size_t{1} << 20)};
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpRequest request_;
  http::response<http::string_body> response_;
};

}  // namespace dashpot::studio
