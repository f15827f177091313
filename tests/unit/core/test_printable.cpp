#include <gtest/gtest.h>

#include "dashpot/core/printable.hpp"

namespace dashpot::test_printable {
namespace {

TEST(Printable, ShowsControlBytesAndKeepsEverythingElse) {
  EXPECT_EQ(printable("ζ = 0.02 ± 1 %\n\tbär 🐨"), "ζ = 0.02 ± 1 %\n\tbär 🐨");
  EXPECT_EQ(printable("a\x1b[31mred\x1b[0m\r\x07"), "a\\x1b[31mred\\x1b[0m\\x0d\\x07");
  EXPECT_EQ(printable(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "CSI as one character";
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m")
      << "and as one byte";
  EXPECT_EQ(printable("\xc0\x9b"
                      "[\xe0\x80\x9b\xf0\x28"),
            "\\xc0\\x9b[\\xe0\\x80\\x9b\\xf0(")
      << "overlong forms";
  EXPECT_EQ(printable("\xed\xa0\x80 \xe2\x82"), "\\xed\\xa0\\x80 \\xe2\\x82") << "surrogates, half a character";
}

}  // namespace
}  // namespace dashpot::test_printable
