#include "dashpot/integrate/runge_kutta_table.hpp"

#include <cassert>
#include <numeric>

namespace dashpot {
namespace {

/// Work at one instant with weight b, where the velocity is v.
WorkInterval work_at(Evaluation where, double h, double b, const LinearForm& v) {
  const std::vector<Weight> here = {{where, 1}};
  return {h * b * v, b, here, here, here, where};
}

}  // namespace

StageTable runge_kutta_table(double h, const ButcherTableau& tableau) {
  StageTable table;
  const LinearForm v_n = Known::v_n, a_n = Known::a_n;
  for (std::size_t s = 0; s < tableau.rows.size(); ++s) {
    const std::vector<double>& row = tableau.rows[s];
    assert(row.size() == s + 2 && row.back() != 0);
    const LinearForm d = stage_unknown(s);
    LinearForm v = d / h - row[0] * v_n;
    for (std::size_t j = 0; j < s; ++j) v += -row[j + 1] * table.stages[j].v;
    v = v / row.back();
    LinearForm a = (v - v_n) / h - row[0] * a_n;
    for (std::size_t j = 0; j < s; ++j) a += -row[j + 1] * table.stages[j].a;
    a = a / row.back();
    const double time = std::accumulate(row.begin(), row.end(), 0.0);
    const double before = s == 0 ? 0 : table.stages[s - 1].time, since = (time - before) * h;
    const LinearForm guess =
        s == 0 ? since * v_n + 0.5 * since * since * a_n
               : stage_unknown(s - 1) + since * table.stages[s - 1].v + 0.5 * since * since * table.stages[s - 1].a;
    table.stages.push_back({time, v, a, guess});
  }
  const std::vector<double>& b = tableau.rows.back();
  table.starts_from_last_balance = b[0] != 0;
  if (b[0] != 0) table.work.push_back(work_at(Evaluation::start, h, b[0], v_n));
  for (std::size_t s = 0; s < table.stages.size(); ++s)
    table.work.push_back(work_at(at_stage(s), h, b[s + 1], table.stages[s].v));
  table.stages.back().time = 1;  // the sum of the weights, without its round-off
  table.displacement_end = stage_unknown(table.stages.size() - 1);
  table.v_end = table.stages.back().v;
  table.a_end = table.stages.back().a;
  return table;
}

}  // namespace dashpot
