#pragma once
// The WebSocket of a page: texts in both directions, frames to the page, one write at a time.

#include <deque>
#include <optional>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include "shared_connections.hpp"
#include "studio_commands.hpp"

namespace dashpot::studio {

/// A page's socket. What the session sends is put into a queue here and written one after the other.
class SocketConnection : public std::enable_shared_from_this<SocketConnection> {
 public:
  SocketConnection(std::unique_ptr<Counted> counted, Stream&& stream)
      : counted_(std::move(counted)), socket_(std::move(stream)) {}

  ~SocketConnection() {
    if (client_) counted_->shared().session.disconnect(*client_);
  }

  void accept(const http::request<http::string_body>& request) {
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = handshake_time;
    limits.idle_timeout = silent_time;
    limits.keep_alive_pings = true;
    socket_.set_option(limits);
    socket_.read_message_max(longest_text);
    websocket::permessage_deflate no_compression;
    no_compression.server_enable = false;
    socket_.set_option(no_compression);
    const bool speaks = beast::iequals(request[http::field::sec_websocket_protocol], subprotocol);
    socket_.set_option(websocket::stream_base::decorator([speaks](websocket::response_type& response) {
      response.set(http::field::server, "dashpot");
      if (speaks) response.set(http::field::sec_websocket_protocol, subprotocol);
    }));
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->begin();
    });
  }

 private:
  void begin() {
    // The session must not keep this alive: a page that is gone is disconnected by the destructor.
    const std::weak_ptr<SocketConnection> weak = weak_from_this();
    counted_->close_by([weak] {
      if (const auto self = weak.lock()) self->close();
    });
    const auto executor = socket_.get_executor();
    const auto later = [weak, executor](auto action) {
      asio::post(executor, [weak, action = std::move(action)] {
        if (const auto self = weak.lock()) action(*self);
      });
    };
    client_ = counted_->shared().session.connect(
        {[later](Bytes text) { later([text = std::move(text)](SocketConnection& self) { self.put_text(text); }); },
         [later](Bytes frame) {
           later([frame = std::move(frame)](SocketConnection& self) { self.put_frame(frame); });
         }});
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->close();
      if (!self->socket_.got_text()) return self->refuse(websocket::close_code::unknown_data);
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      self->counted_->shared().session.receive(*self->client_, text);
      self->read();
    });
  }

  void put_text(const Bytes& text) {
    if (texts_.size() >= most_texts) return close();  // reads too slowly
    texts_.push_back(text);
    write();
  }

  void put_frame(const Bytes& frame) {
    frame_ = frame;
    write();
  }

  void write() {
    if (is_writing_ || is_closed_ || (texts_.empty() && !frame_)) return;
    is_writing_ = true;
    const bool is_text = !texts_.empty();
    if (is_text) {
      writing_ = std::move(texts_.front());
      texts_.pop_front();
    } else {
      writing_ = std::move(frame_);
      frame_.reset();
    }
    socket_.text(is_text);
    socket_.async_write(asio::buffer(*writing_), [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->is_writing_ = false;
      self->writing_.reset();
      if (error) return self->close();
      self->write();
    });
  }

  void refuse(websocket::close_code code) {
    if (is_closed_ || is_writing_) return close();
    is_closed_ = true;
    socket_.async_close(code, [self = shared_from_this()](beast::error_code) {});
  }

  void close() {
    if (std::exchange(is_closed_, true)) return;
    beast::error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    texts_.clear();
    frame_.reset();
  }

  std::unique_ptr<Counted> counted_;
  websocket::stream<Stream> socket_;
  beast::flat_buffer buffer_;
  std::optional<ClientId> client_;
  std::deque<Bytes> texts_;
  Bytes frame_, writing_;
  bool is_writing_ = false, is_closed_ = false;
};

}  // namespace dashpot::studio
