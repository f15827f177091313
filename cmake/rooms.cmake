# A room is one static library, dashpot_<room>, made of every .cpp in its folder; a new file needs no edit here (the glob
# is checked again at each build). USES names the rooms whose headers and symbols it may use: with tests on, each room is
# also linked against just those, with undefined symbols as errors (room_<room>_links).
#
#   dashpot_room(<room> [USES <lower rooms>] [LINKS <libraries>] [INCLUDES <third-party include folders>] [FAST]
#                [KERNELS <sources relative to the room>])
#
# FAST rooms hold hot loops and are compiled with DASHPOT_HOT_FLAGS. KERNELS may fuse multiply and add; elsewhere contraction is off, so
# that bits do not depend on the optimizer.
#
# Most of the time of a build goes into parsing Eigen, fmt and the standard library and into instantiating the same
# templates again and again. Hence a precompiled header, and sources compiled in batches (unity build). GCC silently takes
# the optimization flags of the precompiled header for all that follows: rooms with other flags (FAST) share another one, and
# KERNELS go without.
option(DASHPOT_UNITY "Compile the sources of a room in batches: faster as a whole, slower for one changed file" ON)
option(DASHPOT_PRECOMPILE "Precompile Eigen, fmt, JSON and the standard library" ON)
set(DASHPOT_ROOMS "" CACHE INTERNAL "")

function(dashpot_room room)
  cmake_parse_arguments(ROOM "FAST" "" "USES;LINKS;INCLUDES;KERNELS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/dashpot/${room}/*.cpp)
  set(target dashpot_${room})
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} UNITY_BUILD ${DASHPOT_UNITY} UNITY_BUILD_BATCH_SIZE 14)
  add_library(dashpot::${room} ALIAS ${target})
  list(TRANSFORM ROOM_USES PREPEND dashpot_)
  target_link_libraries(${target} PUBLIC dashpot_interface ${ROOM_USES} PRIVATE $<BUILD_INTERFACE:dashpot_options> ${ROOM_LINKS})
  target_include_directories(${target} SYSTEM PRIVATE ${ROOM_INCLUDES})
  if(ROOM_FAST)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${DASHPOT_HOT_FLAGS}>)
  endif()
  foreach(kernel ${ROOM_KERNELS})
    file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/dashpot/${room}/${kernel})
    set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS -ffp-contract=fast SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
  if(DASHPOT_PRECOMPILE)
    set(owner dashpot_core)
    if(ROOM_FAST)
      set(owner dashpot_math)
    endif()
    if(target STREQUAL owner)
      target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
    else()
      target_precompile_headers(${target} REUSE_FROM ${owner})
    endif()
  endif()
  set(DASHPOT_ROOMS ${DASHPOT_ROOMS} ${target} CACHE INTERNAL "")
  if(DASHPOT_TESTS)
    add_library(room_${room}_links SHARED ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
    target_link_libraries(room_${room}_links PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,${target}>)
    target_link_options(room_${room}_links PRIVATE -Wl,-z,defs -Wl,--strip-all)
    set_target_properties(room_${room}_links PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/room_links)
  endif()
endfunction()
