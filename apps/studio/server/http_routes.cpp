#include "http_routes.hpp"

#include <exception>

#include "page_assets.hpp"

namespace dashpot::studio {
namespace {

std::string value_of(const HttpRequest& request, const char* key) {
  const auto found = request.target.query.find(key);
  return found == request.target.query.end() ? std::string() : found->second;
}

int view_of(const HttpRequest& request) {
  const std::string text = value_of(request, "view");
  if (text.empty()) return 0;
  return text.size() == 1 && text.front() >= '0' && text.front() <= '3' ? text.front() - '0' : -1;
}

HttpAnswer of_api(StudioSession& session, const HttpRequest& request) {
  const std::string& path = request.target.path;
  if (path == "/api/document") return {200, session.document()};
  if (path == "/api/registry") return {200, session.registry()};
  if (path == "/api/topology") return {200, session.topology(view_of(request))};
  if (path == "/api/files") return {200, session.files()};
  if (path == "/api/thumbnail") return {200, session.thumbnail(value_of(request, "example"))};
  if (path == "/api/export") return {200, session.export_file(value_of(request, "kind"))};
  if (path == "/api/mesh") return {200, session.upload_mesh(value_of(request, "name"), request.body)};
  return text_answer(404, "there is nothing at " + path.substr(0, 200));
}

HttpAnswer of_page(const std::string& path) {
  if (const PageAsset* asset = page_asset(path)) return {200, {asset->type, std::string(asset->bytes), ""}};
  if (path == "/") return {200, {"text/html; charset=utf-8", missing_page(), ""}};
  return text_answer(404, "there is nothing at " + path.substr(0, 200));
}

}  // namespace

HttpAnswer text_answer(unsigned status, std::string text) {
  return {status, {"text/plain; charset=utf-8", std::move(text), ""}};
}

bool needs_token(const std::string& path) { return !path.starts_with("/assets/"); }

bool takes_body(const std::string& method, const std::string& path) { return method == "POST" && path == "/api/mesh"; }

bool is_slow(const std::string& path) {
  return path == "/api/files" || path == "/api/thumbnail" || path == "/api/export" || path == "/api/mesh" ||
         path == "/api/registry";
}

HttpAnswer answer(StudioSession& session, const HttpRequest& request) {
  const std::string& path = request.target.path;
  const bool is_api = path.starts_with("/api/");
  const bool is_upload = path == "/api/mesh";
  if (request.method != (is_upload ? "POST" : "GET"))
    return text_answer(405, is_upload ? "POST is expected here" : "GET is expected here");
  try {
    return is_api ? of_api(session, request) : of_page(path);
  } catch (const Error& error) {
    if (is_upload) return {400, {"application/json", error_as_json(error), ""}};
    return text_answer(path == "/api/thumbnail" || path == "/api/topology" ? 404 : 400, error.what());
  } catch (const std::exception& error) {
    return text_answer(500, error.what());
  }
}

}  // namespace dashpot::studio
