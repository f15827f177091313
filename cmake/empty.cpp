// Linked with nothing but one room: see rooms.cmake.
