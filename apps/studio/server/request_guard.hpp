#pragma once
// Who may talk to the studio: what runs on this machine, or comes through a tunnel to it, and knows the token. Against
// pages of other sites that a browser has open: they can send requests to 127.0.0.1, but neither know the token nor
// choose the headers Host and Origin (DNS rebinding). Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dashpot::studio {

/// A request target, "/api/topology?view=0&token=...", taken apart; percent signs and plus are decoded in the query.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
/// An empty path where the target is malformed.
Target parse_target(std::string_view target);

struct RequestHeaders {
  std::string host, origin;  ///< empty: not sent
  std::string token;         ///< from the query or X-Dashpot-Token
};

class RequestGuard {
 public:
  /// `more_hosts`: further values of Host that are accepted, "name" or "name:port".
  RequestGuard(std::string token, unsigned short port, std::vector<std::string> more_hosts);
  /// Why a request is refused; empty: it is not.
  std::string refusal(const RequestHeaders& headers, bool needs_token = true) const;
  const std::string& token() const { return token_; }

 private:
  bool knows_host(const std::string& host) const;
  std::string token_;
  unsigned short port_;
  std::vector<std::string> more_hosts_;
};

/// 32 hexadecimal digits from the system's random source.
std::string random_token();

}  // namespace dashpot::studio
