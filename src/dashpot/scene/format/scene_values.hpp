#pragma once
// What the structs of scene_models.hpp are made of.

#include <concepts>
#include <limits>
#include <memory>
#include <utility>

namespace dashpot::scene {

/// A number that was not given: the scene is written without it.
inline constexpr double unset = std::numeric_limits<double>::quiet_NaN();
inline constexpr int unset_integer = std::numeric_limits<int>::min();

/// A value on the heap, copied with its owner: lets a model hold another one of its own family. Empty: not given.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  template <class U>
  requires(!std::same_as<std::remove_cvref_t<U>, Boxed>) Boxed(U&& value)
      : value_(std::make_unique<T>(std::forward<U>(value))) {}  // NOLINT: reads as a plain assignment
  Boxed(const Boxed& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(Boxed other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Boxed() = default;

  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace dashpot::scene
