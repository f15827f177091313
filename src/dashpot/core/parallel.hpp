#pragma once
// Parallel loops whose results do not depend on the number of threads.
// A loop body receives a half-open range; ranges never depend on the thread count, and sums are added in range order.

#include <type_traits>

namespace dashpot {

/// A non-owning reference to a callable `void(int begin, int end)` or `double(int begin, int end)`.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& f)  // NOLINT(bugprone-forwarding-reference-overload)
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
        }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

/// Number of threads Dashpot's own loops use (default: the cores available to the process).
int num_threads();
/// Limits Dashpot's loops to `n` >= 1 threads (never more than the cores). Results agree bit for bit for every n.
void set_num_threads(int n);

/// Calls body(begin, end) over [0, count) in ranges of `grain`; serial when one range or one thread suffices.
void parallel_for(int count, int grain, FunctionRef<void(int, int)> body);
/// Sum of body(begin, end) over ranges of `grain`, added in range order.
double parallel_sum(int count, int grain, FunctionRef<double(int, int)> body);

}  // namespace dashpot
