// Peers that mean no good, against a running server on loopback: the simulation goes on, memory stays bounded, nobody
// gets what is not theirs.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "dashpot/core/file.hpp"
#include "studio_server.hpp"

namespace dashpot::test_studio_hostile {

using namespace dashpot::studio;
namespace fs = std::filesystem;

constexpr const char* bar = R"json({
  "dashpot": 1, "time": {"dt": "5 ms", "end": "1 s", "stepper": "bathe"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.05, 0.04], "cells": [6, 2, 2]}},
    "material": {"model": "stvk", "young": "2 MPa", "poisson": 0.3, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "start": {"from": "mode", "mode": 1, "amplitude": "1 cm"}}]
})json";

/// A plain socket to the server.
class Peer {
 public:
  explicit Peer(unsigned short port, int receive_buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    timeval limit{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  Peer(Peer&& other) noexcept : socket_(std::exchange(other.socket_, -1)), is_open_(other.is_open_) {}
  Peer(const Peer&) = delete;
  ~Peer() {
    if (socket_ >= 0) ::close(socket_);
  }
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  /// Until `end` is in it, the peer closes or five seconds pass.
  std::string receive(std::string_view end = "") {
    std::string text;
    char buffer[65536];
    while (end.empty() || text.find(end) == std::string::npos) {
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
      if (text.size() > (1 << 22)) break;
    }
    return text;
  }
  bool is_open() const { return is_open_; }

 private:
  int socket_;
  bool is_open_;
};

/// A frame of a WebSocket client, masked with zeros.
std::string socket_frame(std::uint8_t first_byte, std::string_view payload) {
  std::string frame(1, static_cast<char>(first_byte));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else if (payload.size() < 65536) {
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 255);
  } else {
    frame += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>((payload.size() >> shift) & 255);
  }
  return frame + std::string(4, '\0') + std::string(payload);
}

constexpr std::uint8_t text_frame = 0x81, binary_frame = 0x82;

double resident_megabytes() {
  std::ifstream status("/proc/self/statm");
  double pages = 0, resident = 0;
  status >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

class HostilePeers : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("dashpot_hostile_{}", ::getpid());
    fs::create_directories(folder_);
    write_file_atomically((folder_ / "bar.json").string(), bar);
    session_ = std::make_unique<StudioSession>(SessionOptions{folder_, "bar.json", false});
    server_ = std::make_unique<StudioServer>(*session_, ServerOptions{});
  }
  void TearDown() override {
    server_.reset();
    session_.reset();
    fs::remove_all(folder_);
  }

  std::string host() const { return fmt::format("127.0.0.1:{}", server_->port()); }
  std::string request(const std::string& line, const std::string& headers = "") const {
    return fmt::format("{} HTTP/1.1\r\nHost: {}\r\n{}Connection: close\r\n\r\n", line, host(), headers);
  }
  std::string with_token(const std::string& path) const {
    return path + (path.find('?') == std::string::npos ? "?" : "&") + "token=" + server_->token();
  }
  std::string answer(const std::string& bytes) const {
    Peer peer(server_->port());
    peer.send(bytes);
    return peer.receive();
  }
  int status(const std::string& bytes) const {
    const std::string text = answer(bytes);
    return text.size() > 12 ? std::atoi(text.c_str() + 9) : 0;
  }
  /// An open socket of the protocol.
  Peer page(int receive_buffer = 0) const {
    Peer peer(server_->port(), receive_buffer);
    peer.send(
        fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    "Sec-WebSocket-Protocol: dashpot.studio.1\r\n\r\n",
                    with_token("/socket"), host()));
    return peer;
  }
  /// The simulation steps: its clock goes on while we look.
  void expect_alive(const std::string& after) const {
    std::mutex mutex;
    std::vector<double> times;
    const ClientId client = session_->connect({[&](Bytes text) {
                                                 const std::size_t at = text->find("\"type\":\"status\",\"time\":");
                                                 if (at == std::string::npos) return;
                                                 const std::lock_guard lock(mutex);
                                                 times.push_back(std::atof(text->c_str() + at + 23));
                                               },
                                               [](Bytes) {}});
    for (int i = 0; i < 100; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::lock_guard lock(mutex);
      if (times.size() >= 3 && times.back() > times.front()) break;
    }
    session_->disconnect(client);
    ASSERT_GE(times.size(), 3U) << after;
    EXPECT_GT(times.back(), times.front()) << after;
    EXPECT_EQ(status(request("GET " + with_token("/api/document"))), 200) << after;
  }

  fs::path folder_;
  std::unique_ptr<StudioSession> session_;
  std::unique_ptr<StudioServer> server_;
};

TEST_F(HostilePeers, AreRefusedWithoutTokenOrFromAnotherSiteOrHost) {
  EXPECT_EQ(status(request("GET " + with_token("/api/document"))), 200);
  EXPECT_EQ(status(request("GET /api/document")), 403);
  EXPECT_EQ(status(request("GET /api/document?token=0000")), 403);
  EXPECT_EQ(status(request("GET " + with_token("/api/document"), "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(status(request("GET " + with_token("/api/document"), "Origin: http://" + host() + "\r\n")), 200);
  EXPECT_EQ(status(fmt::format("GET {} HTTP/1.1\r\nHost: evil.example\r\n\r\n", with_token("/api/document"))), 403);
  EXPECT_EQ(status(fmt::format("GET {} HTTP/1.1\r\n\r\n", with_token("/api/document"))), 403);
  EXPECT_EQ(
      status(request("GET /socket", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n")),
      403);
  EXPECT_EQ(status(request("DELETE " + with_token("/api/document"))), 405);
  expect_alive("wrong credentials");
}

TEST_F(HostilePeers, GetNoFileByAPathThatClimbs) {
  for (const char* path : {"/../../etc/passwd", "/assets/../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd",
                           "//etc/passwd", "/assets//etc/passwd", "/api/../../../etc/passwd", "/etc/passwd",
                           "/api/thumbnail?example=../../etc/passwd", "/api/export?kind=../../etc/passwd"}) {
    const std::string text = answer(request("GET " + with_token(path)));
    EXPECT_NE(text.substr(9, 3), "200") << path;
    EXPECT_EQ(text.find("root:"), std::string::npos) << path;
  }
  expect_alive("climbing paths");
}

TEST_F(HostilePeers, ThatSendNonsenseAreAnsweredOrClosed) {
  for (const std::string& bytes :
       {std::string("\0\1\2\3", 4), std::string("GET\r\n\r\n"), std::string(100000, 'A'),
        std::string("GET / HTTP/9.9\r\n\r\n"), "GET /" + std::string(40000, 'x') + " HTTP/1.1\r\n\r\n",
        request("POST " + with_token("/api/mesh?name=x.obj"), "Content-Length: 99999999999\r\n"),
        request("POST " + with_token("/api/mesh?name=x.obj"), "Content-Length: -1\r\n"),
        request("POST " + with_token("/api/document"), "Content-Length: 10\r\n") + "0123456789",
        request("POST " + with_token("/api/mesh?name=x.obj"), "Content-Length: 8\r\n") + "no mesh\n"})
    EXPECT_NE(status(bytes), 200) << bytes.substr(0, 60);
  expect_alive("nonsense");
}

TEST_F(HostilePeers, ThatBreakTheSocketProtocolAreDropped) {
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff\xff\xff"), std::string(5000, '\x7f'), socket_frame(binary_frame, "1234"),
        socket_frame(text_frame, std::string(70000, ' ')), socket_frame(text_frame, "\xff\xfe"),
        socket_frame(0x01, "a"), std::string("\x81\x05hello")}) {  // not masked
    Peer peer = page();
    EXPECT_NE(peer.receive("\r\n\r\n").find("101"), std::string::npos);
    peer.send(bytes);
  }
  // Texts that are no commands are answered; the page stays.
  Peer peer = page();
  peer.receive("\"hello\"");
  for (const char* text :
       {"", "{", "null", R"({"id": 1, "do": "nothing"})", R"({"id": 2, "do": "step", "count": -1})",
        R"({"id": 3, "do": "edit", "changes": [{"at": "", "value": null}]})",
        R"({"id": 4, "do": "grab", "node": 99999999})", R"({"id": 5, "do": "set", "values": {"": []}})"})
    EXPECT_TRUE(peer.send(socket_frame(text_frame, text)));
  EXPECT_NE(peer.receive("\"reply\":5").find("\"reply\":5,\"ok\":false"), std::string::npos);
  expect_alive("broken frames");
}

TEST_F(HostilePeers, ThatComeInThousandsAreTurnedAwayAndOthersAreServedAfterwards) {
  std::vector<Peer> crowd;
  std::size_t most = 0;
  for (int i = 0; i < 600; ++i) {
    crowd.emplace_back(server_->port());
    most = std::max(most, server_->num_connections());
  }
  for (int i = 0; i < 50 && server_->num_connections() < 32; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LE(most, 32U);
  EXPECT_EQ(server_->num_connections(), 32U);
  EXPECT_NE(crowd.back().receive("\n").find("503"), std::string::npos);
  crowd.clear();
  for (int i = 0; i < 100 && server_->num_connections() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int i = 0; i < 2400; ++i) Peer(server_->port());
  for (int i = 0; i < 100 && server_->num_connections() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  expect_alive("three thousand connections");
}

TEST_F(HostilePeers, ThatNeverAcknowledgeOrReadCostNoMemory) {
  std::vector<Peer> sleepers;
  for (int i = 0; i < 8; ++i) sleepers.push_back(page(4096));  // they read nothing at all
  Peer silent = page();
  silent.receive("\"hello\"");
  const double before = resident_megabytes();
  // Each answer is large: the document, many times over; nobody reads it.
  for (int k = 0; k < 200; ++k)
    for (Peer& sleeper : sleepers)
      sleeper.send(socket_frame(text_frame, fmt::format(R"({{"id": {}, "do": "modes", "count": 1}})", k)));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(resident_megabytes() - before, 64);
  expect_alive("slow readers");
}

}  // namespace dashpot::test_studio_hostile
