#pragma once
namespace dashpot::cli {

/// Occupies descriptors 0, 1 and 2 where the caller closed them, so that no file opened later gets one of these numbers
/// and with it what is meant for a stream. Reading and writing there still fails, as on a closed descriptor. To be
/// called before anything else is opened.
void hold_standard_streams();

}  // namespace dashpot::cli
