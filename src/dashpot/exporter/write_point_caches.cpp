// .pc2 and .mdd with an .obj beside them that has the same points in the same order, for the package that plays them.
#include <fmt/format.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/exporter/skin.hpp"
#include "dashpot/exporter/writers.hpp"
#include "dashpot/mesh/point_cache.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot::exporter {
namespace {

struct CacheFiles {
  std::string cache, obj;  ///< bytes
};

CacheFiles cache_of(const WriterContext& context, const Actor& actor, Ticker& ticker) {
  const Animation& animation = context.animation;
  const Skin skin = skin_of(actor.mesh, context.options.all_nodes);
  PointCache cache;
  cache.times = animation.times();
  for (std::size_t f = 0; f < animation.times().size(); ++f) {
    cache.frames.push_back(skin.of(animation.shape(actor, f).points));
    ticker.step();
  }
  const std::string obj =
      fmt::format("# {}\n# {} at {} s\n", context.options.stamp.text(), actor.name, animation.times()[0]) +
      obj_bytes(skin.mesh(cache.frames[0]));
  return {context.options.format == Format::pc2 ? pc2_bytes(cache, animation.fps()) : mdd_bytes(cache), obj};
}

const Actor& only_actor(const WriterContext& context) {
  const std::vector<Actor>& actors = context.animation.actors();
  std::vector<const Actor*> bodies;
  std::vector<std::string> names;
  for (const Actor& actor : actors) {
    names.push_back(actor.name);
    if (!actor.is_scenery) bodies.push_back(&actor);
  }
  if (bodies.empty() && actors.size() == 1) return actors[0];
  if (bodies.size() == 1) return *bodies[0];
  throw Error(Problem{context.options.path, fmt::format("{} bodies for one point cache", bodies.size()), "one",
                      fmt::format("choose with --body (one of {}), or name a folder: each gets a file of its own",
                                  fmt::join(names, ", "))});
}

/// The name of the .obj beside a cache. It was not asked for by name, so it must not replace anything of the user's.
std::string companion(const std::string& path) {
  const std::string obj = without_extension(path) + "_points.obj";
  if (std::filesystem::exists(obj) && read_file(obj).rfind("# dashpot ", 0) != 0)
    throw Error(Problem{obj, "a file that no export wrote is in the way of the .obj beside the cache", "",
                        "rename it or choose another -o"});
  return obj;
}

}  // namespace

void write_point_caches(const WriterContext& context) {
  const std::string& path = context.options.path;
  const std::string extension = context.options.format == Format::pc2 ? ".pc2" : ".mdd";
  const std::vector<Actor>& actors = context.animation.actors();
  const double frames = static_cast<double>(context.animation.times().size());
  if (!std::filesystem::path(path).extension().empty()) {
    const std::string obj = companion(path);
    Ticker ticker(context.hooks, frames);
    const CacheFiles files = cache_of(context, only_actor(context), ticker);
    write_file_atomically(path, files.cache);  // the larger one first: where it does not fit, neither is there
    write_file_atomically(obj, files.obj);
    context.report.files = {path, obj};
    return;
  }
  Ticker ticker(context.hooks, frames * static_cast<double>(actors.size()));
  OutputFolder folder(path);
  const std::vector<std::string> names = plain_names(actors);
  for (std::size_t a = 0; a < actors.size(); ++a) {
    const CacheFiles files = cache_of(context, actors[a], ticker);
    folder.write(names[a] + extension, files.cache);
    folder.write(names[a] + "_points.obj", files.obj);
  }
  folder.finish(context.options.stamp.text());
  context.report.files = {path};
}

}  // namespace dashpot::exporter
