#include "studio_jobs.hpp"

namespace dashpot::studio {

StudioJobs::~StudioJobs() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    if (running_) running_->store(true);
    entries_.clear();
  }
  wake_.notify_all();
  thread_.join();
}

void StudioJobs::add(StopFlag stop, std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back({std::move(stop), std::move(job)});
  }
  wake_.notify_all();
}

std::size_t StudioJobs::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size() + (running_ ? 1 : 0);
}

void StudioJobs::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ends_ || !entries_.empty(); });
    if (ends_) return;
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    running_ = entry.stop;
    lock.unlock();
    entry.run();
    entry.run = nullptr;
    lock.lock();
    running_.reset();
  }
}

}  // namespace dashpot::studio
