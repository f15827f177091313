#include "commands.hpp"

namespace dashpot::cli {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> table = {
      {"demo", "Let a bar ring under several dampings and report where every joule went", setup_demo},
      {"studio", "Design damping with your hands, in the browser", setup_studio},
      {"run", "Simulate a scene: ledger, probes, frames, summary, report", setup_run},
      {"check", "Check a scene: all problems at once; predicted memory and time", setup_check},
      {"parameters", "List what can be turned while a scene runs: names, values, units, ranges", setup_parameters},
      {"sensitivity", "Derivatives of the motion with respect to parameters", setup_sensitivity},
      {"realtime", "Play a scene at wall-clock pace: does it hold 60 frames a second?", setup_realtime},
      {"compare", "Run one scene under several dampings or integrators, one report", setup_compare},
      {"modes", "Vibration modes of a scene: frequencies and damping ratios", setup_modes},
      {"measure", "Measure frequency and damping ratio of a run or of a CSV file", setup_measure},
      {"damping", "Convert damping: ζ, loss factor, Rayleigh α β, lost per cycle, settle time", setup_damping},
      {"examples", "Show the example deformations of a scene: pictures, frequencies, angles", setup_examples},
      {"design", "Find the gains of example-based damping that meet targets", setup_design},
      {"fit", "Find elasticity and rest shape of a body from static load tests", setup_fit},
      {"learn", "Learn the law of a material, and its damping, from measured motions", setup_learn},
      {"identify", "Find modulus and damping of a body from captures of its ring-downs", setup_identify},
      {"mesh", "Mesh a shape: a creature of the cast or your own shape file", setup_mesh},
      {"export", "A recorded run as animation: usda, glb, pc2, mdd, xdmf, vtu, obj", setup_export},
      {"scan", "Virtual depth cameras looking at a run: point clouds with known truth", setup_scan},
      {"info", "Describe a mesh: elements, size, volume, quality, problems", setup_info},
      {"convert", "Convert a mesh from one file format to another", setup_convert},
      {"render", "Pictures of runs, meshes and shapes: stills, contact sheets, sequences", setup_render},
      {"gallery", "All assets on one page: picture, counts, quality, meshing time", setup_gallery},
      {"schema", "Print the JSON schema of scenes, or tables of all models", setup_schema},
      {"reproduce", "Repeat an experiment of a paper and compare with what it claims", setup_reproduce},
      {"bench", "Measure how fast the pieces are on this machine", setup_bench},
      {"completion", "Print a completion script for bash, zsh or fish", setup_completion},
      {"man", "Print the manual page (roff)", setup_man},
  };
  return table;
}

}  // namespace dashpot::cli
