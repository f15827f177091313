#pragma once
// One law of damping fitted to runs (identify.hpp), and how well it meets each of them.

#include "dashpot/learn/identify_run.hpp"

namespace dashpot::learn {

/// Where the search begins, and whose numbers are looked for.
struct FitStart {
  int body = 0;
  double young = nan, density = nan;  ///< [Pa, kg/m^3]
};
/// `whole`: to all that is looked at, else to the share that options say. `from`: an earlier fit to begin with.
IdentifiedLaw fit_law(const FitStart& begin, const DampingLaw& law, std::vector<PreparedRun>& runs, bool whole,
                      const IdentifiedLaw* from, const IdentifyOptions& options,
                      const std::function<void(double)>& on_progress);

}  // namespace dashpot::learn
