#include <cstdio>

#include "dashpot/core/version.hpp"

int main() {
  std::printf("dashpot %s (%s)\n", dashpot::version().c_str(), dashpot::commit().c_str());
  return 0;
}
