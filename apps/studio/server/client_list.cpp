#include "client_list.hpp"

namespace dashpot::studio {

ClientId ClientList::add(ClientCallbacks callbacks) {
  const std::lock_guard lock(mutex_);
  clients_[++last_].callbacks = std::move(callbacks);
  return last_;
}

void ClientList::remove(ClientId client) {
  const std::lock_guard lock(mutex_);
  clients_.erase(client);
}

std::vector<ClientId> ClientList::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<ClientId> ids;
  for (const auto& [id, client] : clients_) ids.push_back(id);
  return ids;
}

bool ClientList::empty() const {
  const std::lock_guard lock(mutex_);
  return clients_.empty();
}

void ClientList::send(ClientId client, const std::string& text) {
  const Bytes bytes = std::make_shared<const std::string>(text);
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  const bool is_first = !found->second.greeted;
  found->second.greeted = true;
  found->second.callbacks.text(bytes);
  if (is_first) give_frame(found->second);
}

void ClientList::send_all(const std::function<Bytes(ClientId)>& text_for) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, client] : clients_)
    if (client.greeted) client.callbacks.text(text_for(id));
}

void ClientList::give_frame(Client& client) {
  if (!client.greeted || !client.waits || !frame_ || client.last_frame == frame_number_) return;
  client.waits = false;
  client.last_frame = frame_number_;
  client.callbacks.frame(frame_);
}

void ClientList::put_frame(Bytes frame) {
  const std::lock_guard lock(mutex_);
  frame_ = std::move(frame);
  ++frame_number_;
  for (auto& [id, client] : clients_) give_frame(client);
}

void ClientList::acknowledge(ClientId client) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  found->second.waits = true;
  give_frame(found->second);
}

void ClientList::heard(ClientId client) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  if (found != clients_.end()) found->second.heard = std::chrono::steady_clock::now();
}

double ClientList::silence_of(ClientId client) const {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  if (found == clients_.end()) return 0;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - found->second.heard).count();
}

}  // namespace dashpot::studio
