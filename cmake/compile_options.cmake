# One interface target carries how our own code is compiled; users of the installed library do not inherit it.
add_library(dashpot_options INTERFACE)
target_compile_options(dashpot_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       # Same bits whatever the optimizer does: contraction is allowed in kernels only (set per file).
                       -ffp-contract=off)
# GCC 12 reports these for correct std::string and std::vector code that it has inlined (GCC bugs 105329, 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(dashpot_options INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                         -Wno-maybe-uninitialized)
endif()
if(DASHPOT_WERROR)
  target_compile_options(dashpot_options INTERFACE -Werror)
endif()
if(DASHPOT_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(dashpot_options INTERFACE -march=${DASHPOT_ARCH})
endif()
if(DASHPOT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
