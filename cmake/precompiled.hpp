// Headers that nearly every source includes, parsed once for all of them. Sources still include what they use: they
// also compile without this (preset "dev").
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <nlohmann/json.hpp>
