#pragma once
// A damping that is a law at the points of a batch of elements (element/point_law.hpp). Alone it runs its own pass;
// where an energy works on the same batch, it joins that one. A model derives from it, makes its law in its
// constructor, and says what it claims and which parameters it has.

#include <memory>
#include <string>
#include <utility>

#include "dashpot/model/element_batch.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class PointLawDamping : public DissipationTerm {
 public:
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { batch_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { batch_->bind(pattern); }
  DissipationCapabilities capabilities() const override;
  double evaluate(const DissipationRequest& request) const override;

 protected:
  PointLawDamping(std::string body, std::shared_ptr<ElementBatch> batch)
      : body_(std::move(body)), batch_(std::move(batch)) {}
  /// The law, on the batch; exactly once.
  void set_law(std::shared_ptr<const PointLaw> law) { law_ = std::move(law); }

 private:
  std::string body_;
  std::shared_ptr<ElementBatch> batch_;
  std::shared_ptr<const PointLaw> law_;
};

}  // namespace dashpot
