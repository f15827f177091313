#include "dashpot/record/checkpoint.hpp"

#include <cmath>
#include <cstring>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"

namespace dashpot {
namespace {

constexpr std::string_view checkpoint_magic = "dashpot checkpoint 4\n";

class Writer {
 public:
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  void number(double value) { raw(&value, sizeof value); }
  void count(std::uint64_t value) { raw(&value, sizeof value); }
  void text(const std::string& value) {
    count(value.size());
    raw(value.data(), value.size());
  }
  void vector(const Vector& value) {
    count(static_cast<std::uint64_t>(value.size()));
    raw(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
  }
  void vector(const std::vector<double>& value) {
    count(value.size());
    raw(value.data(), value.size() * sizeof(double));
  }
  std::string take() { return std::move(bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}
  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) fail("the file ends too early");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  double number() {
    double value = 0;
    raw(&value, sizeof value);
    return value;
  }
  std::uint64_t count(std::uint64_t bytes_each) {
    std::uint64_t value = 0;
    raw(&value, sizeof value);
    if (bytes_each > 0 && value > bytes_.size() / bytes_each) fail("a length exceeds the file");
    return value;
  }
  std::string text() {
    std::string value(count(1), '\0');
    raw(value.data(), value.size());
    return value;
  }
  Vector vector() {
    Vector value(static_cast<Eigen::Index>(count(sizeof(double))));
    raw(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
    return value;
  }
  std::vector<double> numbers() {
    std::vector<double> value(count(sizeof(double)));
    raw(value.data(), value.size() * sizeof(double));
    return value;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Problem{name_, "not a whole checkpoint: " + why, "a file written by this version of dashpot run",
                        "start the run again without --resume"});
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  Writer writer;
  writer.raw(checkpoint_magic.data(), checkpoint_magic.size());
  writer.text(checkpoint.fingerprint);
  writer.count(checkpoint.inputs.size());
  for (const InputFile& file : checkpoint.inputs) {
    writer.text(file.path);
    writer.text(file.hash);
    writer.count(file.bytes);
  }
  for (const Vector* vector : {&state.q, &state.v, &state.a, &state.q_previous, &state.v_previous, &state.residual})
    writer.vector(*vector);
  writer.number(state.time);
  writer.number(state.last_dt);
  writer.number(state.time_previous);
  writer.count(static_cast<std::uint64_t>(state.step));
  writer.vector(state.parameters);
  writer.count(state.is_rebalanced ? 1 : 0);
  writer.count(state.internal_variables.size());
  for (const Vector& xi : state.internal_variables) writer.vector(xi);
  writer.count(state.solver_history.size());
  for (const std::int64_t value : state.solver_history) writer.count(static_cast<std::uint64_t>(value));
  writer.vector(checkpoint.accumulators);
  writer.vector(checkpoint.counters);
  writer.count(checkpoint.files.size());
  for (const auto& [name, length] : checkpoint.files) {
    writer.text(name);
    writer.count(length);
  }
  const std::uint64_t checksum = Hash().text(writer.bytes()).value();
  writer.count(checksum);
  write_file_atomically(path, writer.take());
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
  Reader reader(bytes, name);
  if (bytes.substr(0, checkpoint_magic.size()) != checkpoint_magic)
    reader.fail("its first line is not '" + std::string(checkpoint_magic.substr(0, checkpoint_magic.size() - 1)) + "'");
  if (bytes.size() < checkpoint_magic.size() + sizeof(std::uint64_t)) reader.fail("the file ends too early");
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  if (Hash().bytes(bytes.data(), bytes.size() - sizeof checksum).value() != checksum)
    reader.fail("its checksum is wrong");
  char skipped[64];
  reader.raw(skipped, checkpoint_magic.size());

  Checkpoint checkpoint;
  checkpoint.source = name;
  State& state = checkpoint.state;
  checkpoint.fingerprint = reader.text();
  checkpoint.inputs.resize(reader.count(3 * sizeof(std::uint64_t)));
  for (InputFile& file : checkpoint.inputs) {
    file.path = reader.text();
    file.hash = reader.text();
    file.bytes = reader.count(0);
  }
  for (Vector* vector : {&state.q, &state.v, &state.a, &state.q_previous, &state.v_previous, &state.residual})
    *vector = reader.vector();
  state.time = reader.number();
  state.last_dt = reader.number();
  state.time_previous = reader.number();
  state.step = static_cast<std::int64_t>(reader.count(0));
  state.parameters = reader.numbers();
  state.is_rebalanced = reader.count(0) != 0;
  state.internal_variables.resize(reader.count(sizeof(std::uint64_t)));
  for (Vector& xi : state.internal_variables) xi = reader.vector();
  state.solver_history.resize(reader.count(sizeof(std::uint64_t)));
  for (std::int64_t& value : state.solver_history) value = static_cast<std::int64_t>(reader.count(0));
  checkpoint.accumulators = reader.numbers();
  checkpoint.counters = reader.numbers();
  checkpoint.files.resize(reader.count(2 * sizeof(std::uint64_t)));
  for (auto& [file, length] : checkpoint.files) {
    file = reader.text();
    length = reader.count(0);
  }
  return checkpoint;
}

std::vector<double> to_numbers(const RunCounters& c) {
  return {static_cast<double>(c.steps),
          static_cast<double>(c.substepped),
          static_cast<double>(c.newton_iterations),
          static_cast<double>(c.factorizations),
          static_cast<double>(c.linear_iterations),
          static_cast<double>(c.analyses),
          static_cast<double>(c.projected),
          c.worst_residual,
          c.wall_seconds,
          c.shortest_substep};
}

RunCounters counters_from(const std::vector<double>& n) {
  RunCounters c;
  if (n.size() != 10) return c;
  c.steps = std::llround(n[0]);
  c.substepped = std::llround(n[1]);
  c.newton_iterations = std::llround(n[2]);
  c.factorizations = std::llround(n[3]);
  c.linear_iterations = std::llround(n[4]);
  c.analyses = std::llround(n[5]);
  c.projected = std::llround(n[6]);
  c.worst_residual = n[7];
  c.wall_seconds = n[8];
  c.shortest_substep = n[9];
  return c;
}

Checkpoint read_checkpoint(const std::string& path) { return parse_checkpoint(read_file(path), path); }

}  // namespace dashpot
