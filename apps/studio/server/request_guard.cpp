#include "request_guard.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace dashpot::studio {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(16 * hex_digit(text[i + 1]) + hex_digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Takes as long for the first wrong character as for the last.
bool same_secret(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

}  // namespace

Target parse_target(std::string_view target) {
  Target result;
  if (target.empty() || target.front() != '/' || target.size() > 8192) return result;
  const std::size_t mark = target.find('?');
  result.path = std::string(target.substr(0, mark));
  if (mark == std::string_view::npos) return result;
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equal = pair.find('=');
    if (!pair.empty())
      result.query[decoded(pair.substr(0, equal))] =
          equal == std::string_view::npos ? std::string() : decoded(pair.substr(equal + 1));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return result;
}

RequestGuard::RequestGuard(std::string token, unsigned short port, std::vector<std::string> more_hosts)
    : token_(std::move(token)), port_(port), more_hosts_(std::move(more_hosts)) {
  for (std::string& host : more_hosts_) host = lower(host);
}

bool RequestGuard::knows_host(const std::string& host) const {
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"})
    if (host == fmt::format("{}:{}", name, port_) || (port_ == 80 && host == name)) return true;
  const std::string name = host.substr(0, host.rfind(':'));
  return std::any_of(more_hosts_.begin(), more_hosts_.end(),
                     [&](const std::string& known) { return known == host || known == name; });
}

std::string RequestGuard::refusal(const RequestHeaders& headers, bool needs_token) const {
  const std::string host = lower(headers.host), origin = lower(headers.origin);
  if (!knows_host(host))
    return fmt::format(
        "Host \"{}\" is not this program's. Through a tunnel with another port, start it with "
        "--allow-host NAME:PORT.",
        headers.host.substr(0, 200));
  if (!origin.empty() && origin != "http://" + host && origin != "https://" + host)
    return "this request comes from another site";
  if (needs_token && !same_secret(headers.token, token_))
    return "the token is missing or wrong: open the address that the program printed";
  return {};
}

std::string random_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(source()));
  return token;
}

}  // namespace dashpot::studio
