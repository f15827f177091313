#pragma once
// Which request is answered by what; no sockets here.

#include <functional>
#include <string>

#include "request_guard.hpp"
#include "studio_session.hpp"

namespace dashpot::studio {

struct HttpAnswer {
  unsigned status = 200;
  Content content;
};

HttpAnswer text_answer(unsigned status, std::string text);

/// A request that passed the guard. `body` is that of POST.
struct HttpRequest {
  std::string method;  ///< "GET", "POST", ...
  Target target;
  std::string body;
};

/// Whether path needs the token: what is not part of the page itself.
bool needs_token(const std::string& path);
/// Whether a request of this method may have a body at this path.
bool takes_body(const std::string& method, const std::string& path);
/// Whether the answer is computed; else it is at hand.
bool is_slow(const std::string& path);
/// Never throws: what is wrong becomes an answer.
HttpAnswer answer(StudioSession& session, const HttpRequest& request);

}  // namespace dashpot::studio
