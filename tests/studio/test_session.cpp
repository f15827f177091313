// A session in test mode, talked to as a page does: time passes on command, so that numbers can be compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/scene/simulate.hpp"
#include "studio_session.hpp"

namespace dashpot::test_studio_session {

using namespace dashpot::studio;
namespace fs = std::filesystem;

/// A bar with an example, light enough that a step takes a millisecond.
constexpr const char* bar = R"json({
  "dashpot": 1, "title": "A bar",
  "time": {"dt": "5 ms", "end": "0.5 s", "stepper": "bathe"},
  "bodies": [{
    "name": "bar",
    "mesh": {"bar": {"size": [0.4, 0.05, 0.04], "cells": [8, 2, 2]}},
    "material": {"model": "stvk", "young": "2 MPa", "poisson": 0.3, "density": 1000},
    "damping": [{"model": "example_based", "frame": "fixed",
      "over": {"model": "rayleigh", "beta": "1 ms", "stiffness": "rest"},
      "examples": [{"name": "sway", "shape": {"from": "mode", "mode": 1, "amplitude": "2 cm"},
                    "curve": [[0.2, 1], [1, 1]]}]}],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "start": {"from": "mode", "mode": 1, "amplitude": "1 cm"}
  }],
  "record": {"probes": [{"name": "tip", "where": {"nearest": [0.4, 0.025, 0.02]}}]}
})json";

/// A page: sends, and waits for the answer.
class Page {
 public:
  explicit Page(StudioSession& session) : session_(session) {
    client_ = session.connect({[this](Bytes text) { take(*text); },
                               [this](Bytes) {
                                 const std::lock_guard lock(mutex_);
                                 ++frames_;
                               }});
    wait([this] { return hello_.find("type") != nullptr; });
  }
  ~Page() { session_.disconnect(client_); }

  JsonValue ask(const std::string& name, const std::string& fields = "") {
    const int id = ++last_;
    session_.receive(client_,
                     fmt::format(R"({{"id": {}, "do": "{}"{}{}}})", id, name, fields.empty() ? "" : ", ", fields));
    JsonValue reply;
    wait([&] {
      const auto found = replies_.find(id);
      if (found == replies_.end()) return false;
      reply = found->second;
      return true;
    });
    return reply;
  }
  JsonValue ok(const std::string& name, const std::string& fields = "") {
    const JsonValue reply = ask(name, fields);
    const JsonValue* error = reply.find("error");
    EXPECT_EQ(error, nullptr) << name << ": " << (error != nullptr ? error->text : "");
    return reply;
  }
  void send(const std::string& text) { session_.receive(client_, text); }

  JsonValue hello() { return locked(hello_); }
  JsonValue status() { return locked(status_); }
  /// All of one list of the status messages so far.
  std::vector<JsonValue> gathered(const std::string& list) {
    const std::lock_guard lock(mutex_);
    return lists_[list];
  }
  std::vector<JsonValue> events() { return gathered("events"); }
  int frames() {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  template <class Condition>
  void wait(const Condition& condition) {
    std::unique_lock lock(mutex_);
    if (!heard_.wait_for(lock, std::chrono::seconds(60), condition)) throw std::runtime_error("no answer in 60 s");
  }

 private:
  JsonValue locked(const JsonValue& value) {
    const std::lock_guard lock(mutex_);
    return value;
  }
  void take(const std::string& text) {
    const ParsedJson parsed = parse_json(text, "text");
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(parsed.problems.empty()) << text.substr(0, 200);
    const JsonValue& value = parsed.value;
    if (const JsonValue* reply = value.find("reply"); reply != nullptr) {
      replies_[static_cast<int>(reply->number)] = value;
    } else if (const std::string type = value.find("type")->text; type == "hello" || type == "changed") {
      hello_ = value;
    } else if (type == "status") {
      status_ = value;
      for (const char* list : {"decay", "zeta"})
        for (const JsonValue& item : value.find(list)->items) lists_[list].push_back(item);
    } else {
      lists_["events"].push_back(value);
    }
    heard_.notify_all();
  }

  StudioSession& session_;
  ClientId client_ = 0;
  std::mutex mutex_;
  std::condition_variable heard_;
  JsonValue hello_, status_;
  std::map<int, JsonValue> replies_;
  std::map<std::string, std::vector<JsonValue>> lists_;
  int last_ = 0, frames_ = 0;
};

class StudioSessionTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("dashpot_studio_{}", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_file_atomically((folder_ / "bar.json").string(), bar);
  }
  void TearDown() override { fs::remove_all(folder_); }

  SessionOptions options() const { return {folder_, "bar.json", true}; }
  static double number(const JsonValue& value, const char* key) { return value.find(key)->number; }
  static std::string at(const std::string& key) { return "/bodies/0/damping/0/examples/0/" + key; }
  /// The point of the System at the tip of the bar.
  int tip(Page& page) {
    const JsonValue hit = page.ok("pick", R"("view": 0, "origin": [2, 0.03, 0.02], "direction": [-1, 0, 0])");
    return static_cast<int>(hit.find("hit")->find("node")->number);
  }
  fs::path folder_;
};

TEST_F(StudioSessionTest, HelloTellsTheSceneItsExamplesAndItsParameters) {
  StudioSession session(options());
  Page page(session);
  const JsonValue hello = page.hello();
  EXPECT_EQ(hello.find("title")->text, "A bar");
  EXPECT_EQ(hello.find("path")->text, "bar.json");
  ASSERT_EQ(hello.find("examples")->items.size(), 1U);
  const JsonValue& example = hello.find("examples")->items[0];
  EXPECT_EQ(example.find("at")->text, "/bodies/0/damping/0/examples/0");
  EXPECT_NEAR(number(example, "size"), 0.02, 1e-9);
  const double omega = 2 * 3.14159265358979 * number(example, "frequency");
  EXPECT_GT(omega, 1);
  EXPECT_NEAR(number(example, "zeta"), 0.5 * 1e-3 * omega, 1e-6 * omega);  // Rayleigh: beta omega / 2
  EXPECT_FALSE(hello.find("parameters")->items.empty());
  EXPECT_EQ(session.topology(0).bytes.substr(0, 4), "DPT2");
  EXPECT_THROW(session.topology(7), Error);
}

TEST_F(StudioSessionTest, ABodyThatWasPulledRingsDownAfterItsRelease) {
  StudioSession session(options());
  Page page(session);
  const int node = tip(page);
  const JsonValue grabbed = page.ok("grab", fmt::format(R"("node": {}, "radius": 0, "stiffness": 0)", node));
  EXPECT_GT(number(grabbed, "patch"), 1);
  EXPECT_GT(number(grabbed, "stiffness"), 0);
  page.send(R"({"id": 900, "do": "drag", "target": [0.4, 0.025, 0.06]})");
  page.ok("step", R"("count": 60)");
  const double force = number(page.status(), "mouse_force");
  EXPECT_GT(force, 1e-3);
  page.ok("release");
  page.ok("step", R"("count": 200)");
  EXPECT_EQ(number(page.status(), "mouse_force"), 0);
  std::vector<double> envelope;
  for (const JsonValue& peak : page.gathered("decay"))
    if (peak.find("world")->text == "designed") envelope.push_back(number(peak, "envelope"));
  ASSERT_GE(envelope.size(), 6U);
  EXPECT_GT(envelope.front(), 1e-3);
  EXPECT_LT(envelope.back(), 0.9 * envelope.front());
  // Nothing was made from nothing: what the pull gave is what was lost and what is left.
  const JsonValue& world = page.status().find("worlds")->items[0];
  EXPECT_GT(number(world, "external"), 0);
  EXPECT_GT(number(world, "numerical"), -1e-3 * number(world, "external"));
}

TEST_F(StudioSessionTest, WhileTimeStandsAPullPosesTheBodyAndItStaysSo) {
  StudioSession session(options());
  Page page(session);
  const int node = tip(page);
  const auto energy = [&](const char* key) {
    page.ok("pause");
    return number(page.status().find("worlds")->items[0], key);
  };
  const double before = energy("elastic");
  const JsonValue grabbed =
      page.ok("grab", fmt::format(R"("node": {}, "radius": 0, "stiffness": 0, "pose": true)", node));
  page.send(R"({"id": 900, "do": "drag", "target": [0.4, 0.025, 0.07]})");
  // Until it is in balance: between two commands the body gives way at least once, unless it has come to rest.
  double last = energy("elastic"), now = energy("elastic");
  for (int i = 0; i < 20000 && !(now > 2 * before && now == last); ++i) last = std::exchange(now, energy("elastic"));
  ASSERT_EQ(now, last);
  const double force = number(page.status(), "mouse_force");
  EXPECT_GT(force, 0.1);
  page.ok("release");
  const double posed = energy("elastic");
  EXPECT_GT(posed, 2 * before);
  EXPECT_NEAR(posed, last, 1e-12 * last);
  EXPECT_EQ(number(page.status(), "time"), 0);
  EXPECT_EQ(energy("kinetic"), 0);
  EXPECT_NEAR(number(page.status().find("worlds")->items[1], "elastic"), posed, 1e-9 * posed);  // of the other world
  // The spring is three times as stiff as the body there: the patch follows it about three quarters of the way.
  page.ok("example", R"("from": "pose", "name": "lifted")");
  const double size = number(page.hello().find("examples")->items.at(1), "size");
  const double way = force / number(grabbed, "stiffness");
  EXPECT_GT(size, way);
  EXPECT_LT(size, 0.06);
  // Time goes on, and the body swings back.
  page.ok("step", R"("count": 100)");
  EXPECT_LT(energy("elastic"), 0.9 * posed);
}

TEST_F(StudioSessionTest, ALargerGainMakesTheSameSwingDieOutFaster) {
  StudioSession session(options());
  Page page(session);
  const auto left = [&] {
    page.ok("reset");
    page.ok("step", R"("count": 100)");
    return number(page.status().find("worlds")->items[0], "total");
  };
  const double before = left();
  page.ok("set", fmt::format(R"("values": {{"{}": [5, 5]}})", at("gamma")));
  const double after = left();
  EXPECT_GT(before, 0);
  EXPECT_LT(after, 0.5 * before);
  // The value is in the document too, so that it is saved.
  const ParsedJson document = parse_json(session.document().bytes, "");
  EXPECT_EQ(at_pointer(document.value, at("curve/0/1"))->number, 5);
  // The reference world has no examples: it is as it was.
  EXPECT_GT(number(page.status().find("worlds")->items[1], "total"), 0.9 * before);
}

TEST_F(StudioSessionTest, WhatIsSavedRunsInTheLibraryAsItWasShown) {
  StudioSession session(options());
  Page page(session);
  page.ok("set", fmt::format(R"("values": {{"{}": [0.5, 4], "{}": [0.1, 0.8]}})", at("gamma"), at("at")));
  page.ok("reset");
  page.ok("step", R"("count": 100)");
  page.ok("save", R"("path": "kept/bar.json")");
  const std::string csv = session.export_file("csv").bytes;
  const RunResult run = simulate(compile(load_scene((folder_ / "kept/bar.json").string())));
  // The last row of the session's probes is that of the run.
  const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  std::vector<double> row;
  for (std::size_t from = 0; from < last.size();
       from = last.find(',', from) == std::string::npos ? last.size() : last.find(',', from) + 1)
    row.push_back(std::strtod(last.c_str() + from, nullptr));
  const std::string header = csv.substr(0, csv.find('\n'));
  std::size_t column = 0;
  for (std::size_t i = 0; i < header.find("tip.x"); ++i) column += header[i] == ',';
  double moved = 0;
  for (const char* axis : {"x", "y", "z"}) {
    const std::vector<double>& expected = run.probes.column(std::string("tip.") + axis);
    for (const double x : expected) moved = std::max(moved, std::abs(x - expected.front()));
    EXPECT_NEAR(row.at(column++), expected.back(), 1e-9) << axis;
  }
  EXPECT_GT(moved, 5e-3);
  EXPECT_NEAR(row.front(), 0.5, 1e-12);
}

TEST_F(StudioSessionTest, AnEditCarriesTheMotionOverAndABadOneChangesNothing) {
  StudioSession session(options());
  Page page(session);
  page.ok("step", R"("count": 40)");
  const double before = number(page.status().find("worlds")->items[0], "kinetic");
  const JsonValue refused = page.ask("edit", R"("changes": [{"at": "/bodies/0/material/poisson", "value": 0.7}])");
  EXPECT_FALSE(refused.find("ok")->boolean);
  EXPECT_FALSE(refused.find("problems")->items.empty());
  EXPECT_EQ(number(page.status().find("worlds")->items[0], "kinetic"), before);
  page.ok("edit", R"("changes": [{"at": "/bodies/0/material/young", "value": "2.5 MPa"}], "quiet": true)");
  EXPECT_GT(before, 0);
  EXPECT_NEAR(number(page.status().find("worlds")->items[0], "kinetic"), before, 1e-9 * before);
  EXPECT_NEAR(number(page.status(), "time"), 0.2, 1e-12);
}

TEST_F(StudioSessionTest, ModesTargetsAndExamplesAreFound) {
  StudioSession session(options());
  Page page(session);
  const JsonValue modes = page.ok("modes", R"("count": 3)");
  ASSERT_EQ(modes.find("modes")->items.size(), 3U);
  EXPECT_NEAR(number(modes.find("modes")->items[0], "frequency"),
              number(page.hello().find("examples")->items[0], "frequency"),
              1e-3 * number(modes.find("modes")->items[0], "frequency"));
  page.ok("example", R"("from": "mode", "index": 2, "amplitude": 0.01, "name": "lift", "relaxed": false)");
  ASSERT_EQ(page.hello().find("examples")->items.size(), 2U);
  page.ok("design", R"("targets": [{"example": "sway", "from": 1, "left": 0.5}])");
  JsonValue result;
  for (int i = 0; i < 600 && result.find("done") == nullptr; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (const JsonValue& event : page.events())
      if (event.find("done") != nullptr) result = event;
  }
  ASSERT_NE(result.find("results"), nullptr);
  EXPECT_NEAR(number(result.find("results")->items[0], "achieved"), 0.5, 0.005);
  EXPECT_TRUE(result.find("ok")->boolean);
}

TEST_F(StudioSessionTest, NothingOutsideTheProjectFolderIsReadOrWritten) {
  StudioSession session(options());
  Page page(session);
  const fs::path outside = folder_.parent_path() / "dashpot_studio_outside.json";
  fs::create_symlink("/etc", folder_ / "link");
  for (const char* path :
       {"../dashpot_studio_outside.json", "/etc/passwd", "link/scene.json", "a/../../x.json", "/tmp/../etc/x.json"}) {
    EXPECT_FALSE(page.ask("save", fmt::format(R"("path": "{}")", path)).find("ok")->boolean) << path;
    EXPECT_FALSE(page.ask("open", fmt::format(R"("path": "{}", "kind": "scene")", path)).find("ok")->boolean) << path;
    EXPECT_FALSE(page.ask("open", fmt::format(R"("path": "{}", "kind": "run")", path)).find("ok")->boolean) << path;
    const JsonValue mesh =
        page.ask("edit", fmt::format(R"("changes": [{{"at": "/bodies/0/mesh", "value": {{"file": "{}"}}}}])", path));
    EXPECT_FALSE(mesh.find("ok")->boolean) << path;
    EXPECT_NE(mesh.find("error")->text.find("project folder"), std::string::npos) << mesh.find("error")->text;
  }
  EXPECT_FALSE(fs::exists(outside));
  for (const char* name : {"../x.obj", "/x.obj", "a/b.obj", ".obj", "x.sh", ""})
    EXPECT_THROW(session.upload_mesh(name, "v 0 0 0\n"), Error) << name;
  EXPECT_THROW(session.upload_mesh("x.obj", "no mesh"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "meshes/x.obj"));
  page.ok("save", R"("path": "inside.json")");
  EXPECT_TRUE(fs::exists(folder_ / "inside.json"));
}

TEST_F(StudioSessionTest, OnePageHoldsTheMouseAndLetsGoWhenItLeaves) {
  StudioSession session(options());
  auto first = std::make_unique<Page>(session);
  Page second(session);
  const std::string grab = fmt::format(R"("node": {}, "radius": 0, "stiffness": 0)", tip(*first));
  first->ok("grab", grab);
  EXPECT_FALSE(second.ask("grab", grab).find("ok")->boolean);
  EXPECT_EQ(second.status().find("mouse")->text, "other");
  first.reset();
  EXPECT_TRUE(second.ask("grab", grab).find("ok")->boolean);
}

TEST_F(StudioSessionTest, ValuesThatOnePageTurnsAreToldToTheOthers) {
  StudioSession session(options());
  Page first(session), second(session);
  first.ok("set", fmt::format(R"("values": {{"{}": [5, 6]}})", at("gamma")));
  second.ok("pause");
  const std::vector<JsonValue> events = second.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].find("kind")->text, "values");
  EXPECT_EQ(events[0].find("values")->find(at("gamma"))->items.at(1).number, 6);
}

TEST_F(StudioSessionTest, APageThatDoesNotAcknowledgeGetsOneFrame) {
  StudioSession session(options());
  Page page(session);
  for (int i = 0; i < 20; ++i) page.ok("step", R"("count": 1)");
  EXPECT_EQ(page.frames(), 1);
  page.send(R"({"id": 800, "do": "ack", "frame": 1})");
  page.ok("step", R"("count": 1)");
  EXPECT_EQ(page.frames(), 2);
}

TEST_F(StudioSessionTest, ScrubbingGoesBackAndPlayingGoesOnFromThere) {
  StudioSession session(options());
  Page page(session);
  page.ok("step", R"("count": 100)");
  const double end = number(page.status().find("worlds")->items[0], "total");
  const JsonValue back = page.ok("scrub", R"("time": 0.1)");
  EXPECT_NEAR(number(back, "time"), 0.1, 0.02);
  page.ok("step", fmt::format(R"("count": {})", std::lround((0.5 - number(back, "time")) / 0.005)));
  EXPECT_NEAR(number(page.status(), "time"), 0.5, 1e-9);
  EXPECT_GT(end, 0);
  EXPECT_NEAR(number(page.status().find("worlds")->items[0], "total"), end, 1e-9 * end);
}

TEST_F(StudioSessionTest, AnEditKeepsWhatWasRecordedWhereTheNodesStay) {
  StudioSession session(options());
  Page page(session);
  page.ok("step", R"("count": 100)");
  const auto recorded = [&](std::size_t i) { return page.status().find("recorded")->items.at(i).number; };
  const auto elastic_at = [&](double time) {
    page.ok("scrub", fmt::format(R"("time": {})", time));
    return number(page.status().find("worlds")->items[0], "elastic");
  };
  const double before = elastic_at(0.1);
  page.ok("scrub", R"("time": 0.5)");
  page.ok("edit", R"("changes": [{"at": "/bodies/0/material/young", "value": "4 MPa"}], "quiet": true)");
  EXPECT_EQ(recorded(0), 0);
  EXPECT_NEAR(recorded(1), 0.5, 1e-9);
  EXPECT_GT(before, 1e-9);
  EXPECT_NEAR(elastic_at(0.1), 2 * before, 1e-6 * before);  // the same shape of a body twice as stiff
  EXPECT_NEAR(number(page.status(), "time"), 0.1, 0.02);
  // Time goes on from there, and what is exported is the motion of the edited scene alone.
  EXPECT_THROW(session.export_file("csv"), Error);
  page.ok("step", R"("count": 50)");
  EXPECT_NEAR(recorded(1), number(page.status(), "time"), 0.02);
  const std::string csv = session.export_file("csv").bytes;
  EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 5);
  // Gains alone leave energies and losses as they are.
  const double lost = number(*page.status().find("worlds")->items[0].find("damping"), "bar.example_based");
  page.ok("edit",
          fmt::format(R"("changes": [{{"at": "{}", "value": [[0.2, 3], [1, 3]]}}], "quiet": true)", at("curve")));
  EXPECT_GT(lost, 0);
  page.ok("pause");
  EXPECT_EQ(number(*page.status().find("worlds")->items[0].find("damping"), "bar.example_based"), lost);
  // Other nodes: nothing of it means anything, and that is told.
  page.ok("edit", R"("changes": [{"at": "/bodies/0/mesh/bar/cells", "value": [6, 2, 2]}], "quiet": true)");
  EXPECT_EQ(recorded(0), recorded(1));
  bool is_told = false;
  for (const JsonValue& event : page.events())
    if (const JsonValue* text = event.find("text")) is_told |= text->text.find("recorded") != std::string::npos;
  EXPECT_TRUE(is_told);
}

TEST_F(StudioSessionTest, AnEditThatLeavesThePictureAsItIsDoesNotAskForAnotherTopology) {
  StudioSession session(options());
  Page page(session);
  const double first = number(page.hello(), "topology");
  page.ok("edit", R"("changes": [{"at": "/bodies/0/material/young", "value": "4 MPa"}], "quiet": true)");
  EXPECT_EQ(number(page.hello(), "topology"), first);
  page.ok("pin", fmt::format(R"("node": {}, "radius": 0)", tip(page)));
  EXPECT_NE(number(page.hello(), "topology"), first);  // pins are marked
}

/// A chain of springs beside a ball and above a floor.
constexpr const char* chain = R"json({
  "dashpot": 1, "title": "A chain", "gravity": [0, -9.81, 0],
  "time": {"dt": "5 ms", "end": "0.5 s", "stepper": "bathe"},
  "bodies": [{
    "name": "chain",
    "mesh": {"chain": {"ends": [[0, 1, 0], [0, 0.5, 0]], "edges": 5}},
    "springs": [{"stiffness": "2 kN/m"}], "point_masses": [{"mass": "10 g"}],
    "pins": [{"where": {"vertices": [0]}}]
  }],
  "colliders": [{"plane": {"name": "floor"}}, {"sphere": {"name": "ball", "center": [0.5, 0.2, 0], "radius": 0.2}}]
})json";

TEST_F(StudioSessionTest, SpringsAndCollidersAreInThePictureAndSpringsCanBePulled) {
  write_file_atomically((folder_ / "chain.json").string(), chain);
  StudioSession session({folder_, "chain.json", true});
  Page page(session);
  const std::string topology = session.topology(0).bytes;
  std::array<std::uint32_t, 7> head{};
  ASSERT_GE(topology.size(), sizeof head);
  std::memcpy(head.data(), topology.data(), sizeof head);
  EXPECT_EQ(head[1], 6U);   // vertices
  EXPECT_EQ(head[2], 0U);   // triangles
  EXPECT_EQ(head[3], 5U);   // lines
  EXPECT_GT(head[4], 20U);  // of the ball
  EXPECT_GT(head[5], 20U);
  EXPECT_NE(topology.find(R"("scenery":["ball"])"), std::string::npos) << topology.substr(topology.find("bodies"));
  EXPECT_NE(topology.find(R"("normal":[0,1,0])"), std::string::npos);
  // A ray that passes a chain by less than half a degree takes hold of it; one that passes by more does not.
  const auto hit = [&](double x) {
    return page.ok("pick", fmt::format(R"("view": 0, "origin": [{}, 0.62, 2], "direction": [0, 0, -1])", x));
  };
  EXPECT_TRUE(hit(0.03).find("hit")->is(JsonValue::Kind::null));
  const JsonValue found = hit(0.01);
  ASSERT_FALSE(found.find("hit")->is(JsonValue::Kind::null));
  EXPECT_EQ(found.find("hit")->find("node")->number, 4);  // at y = 0.6, nearer than that at 0.7
  EXPECT_NEAR(found.find("hit")->find("rest")->items[1].number, 0.62, 1e-9);
  page.ok("grab", R"("node": 4, "radius": 0, "stiffness": 0)");
  page.send(R"({"id": 900, "do": "drag", "target": [0.2, 0.6, 0]})");
  page.ok("step", R"("count": 20)");
  EXPECT_GT(number(page.status(), "mouse_force"), 0);
}

TEST_F(StudioSessionTest, ARunFromTheCommandLineIsShownAndScrubbedAndNothingInItCanBePulled) {
  simulate_into((folder_ / "out/bar").string(), compile(load_scene((folder_ / "bar.json").string())));
  StudioSession session(options());
  Page page(session);
  EXPECT_NE(session.files().bytes.find("\"out/bar\""), std::string::npos);
  page.ok("open", R"("path": "out/bar", "kind": "run")");
  EXPECT_EQ(page.hello().find("kind")->text, "run");
  EXPECT_EQ(session.topology(0).bytes.substr(0, 4), "DPT2");
  EXPECT_NEAR(number(page.ok("scrub", R"("time": 0.25)"), "time"), 0.25, 1e-9);
  EXPECT_GT(number(page.ok("step", R"("count": 1)"), "time"), 0.25);
  EXPECT_GT(session.export_file("usda").bytes.size(), 1000U);
  for (const char* what : {"grab", "poke", "set", "edit", "save", "design", "modes"}) {
    const JsonValue reply = page.ask(
        what,
        R"("node": 1, "radius": 0, "stiffness": 0, "impulse": [0, 0, 1], "values": {}, "path": "x.json", "count": 2,
                 "changes": [{"at": "/title", "value": "x"}], "targets": [{"example": "sway", "from": 1, "left": 0.5}])");
    EXPECT_FALSE(reply.find("ok")->boolean) << what;
    EXPECT_NE(reply.find("error")->text.find("recorded run"), std::string::npos) << what;
  }
  page.ok("open", R"("path": "bar.json", "kind": "scene")");
  page.ok("step", R"("count": 3)");
  EXPECT_NEAR(number(page.status(), "time"), 0.015, 1e-12);
}

TEST_F(StudioSessionTest, TooManyCommandsAtOnceAreRefusedAndTheSessionGoesOn) {
  StudioSession session(options());
  Page page(session);
  page.send(R"({"id": 5000, "do": "step", "count": 400})");
  int refused = 0;
  for (int i = 0; i < 3000; ++i) page.send(fmt::format(R"({{"id": {}, "do": "pause"}})", 10000 + i));
  for (int i = 0; i < 600 && !page.ask("pause").find("ok")->boolean; ++i, ++refused)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(refused, 0);
  page.ok("step", R"("count": 1)");
  EXPECT_NEAR(number(page.status(), "time"), 401 * 0.005, 1e-9);
}

}  // namespace dashpot::test_studio_session
