// Runs a fuzz target without libFuzzer: every seed of a folder, then a fixed number of mutations of them, the same in
// every run. `./dev test` uses it with the library as it is built anyway; `./dev sanitize` searches new inputs.
//
//   replay_<target> SEED_FOLDER MUTATIONS
//
// A crash leaves the input in ./crash-<target>.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t longest = 4096;  // [bytes], as for libFuzzer

std::vector<std::string> seeds_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  /// One seed with one to four edits: bytes changed, cut out, repeated, taken from another seed, replaced by a token
  /// that readers stumble over.
  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) edit(text);
    if (text.size() > longest) text.resize(longest);
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(random_() % count); }

  void edit(std::string& text) {
    static const std::vector<std::string> tokens = {
        "-1",       "0",    "1e308", "-1e-320", "nan", "inf", "99999999999999999999", "\"", "{\n", "]", "\0\0\0\0",
        "\xff\xfe", "\r\n", " ",     "#",       "//",  "e"};
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(64, text.size() - at + 1));
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.replace(at, length, tokens[below(tokens.size())]);
        break;
      case 4:
        text.resize(at);
        break;
      default: {
        const std::string& other = seeds_[below(seeds_.size())];
        text.replace(at, length, other.substr(below(other.size() + 1), length));
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_{20210709};
};

void try_input(const std::string& input, const std::string& program) {
  // Written before, because a crash leaves no time after.
  const std::string file = "crash-" + program;
  std::ofstream(file, std::ios::binary) << input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SEED_FOLDER MUTATIONS\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> seeds = seeds_in(argv[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "%s: no seeds\n", argv[1]);
    return 2;
  }
  const std::string program = std::filesystem::path(argv[0]).filename().string();
  for (const std::string& seed : seeds) try_input(seed, program);
  const int mutations = std::atoi(argv[2]);
  Mutator mutator(seeds);
  for (int i = 0; i < mutations; ++i) try_input(mutator.next(), program);
  std::filesystem::remove("crash-" + program);
  std::printf("%zu seeds and %d mutations, no crash\n", seeds.size(), mutations);
}
