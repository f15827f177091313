#pragma once
// A spare object between calls: buffers that a const function needs and that are dear to make. A caller takes the spare
// one, or makes its own where another caller has it, and gives it back.

#include <memory>
#include <mutex>
#include <utility>

namespace dashpot {

template <class T>
class Spare {
 public:
  Spare() = default;
  /// A copy has nothing to spare.
  Spare(const Spare&) {}
  Spare& operator=(const Spare&) = delete;
  /// The object that was given back last; null: none is there.
  std::unique_ptr<T> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::move(object_);
  }
  void give(std::unique_ptr<T> object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    object_ = std::move(object);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<T> object_;
};

}  // namespace dashpot
