include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS dashpot dashpot_interface ${DASHPOT_ROOMS} dashpot_cli EXPORT dashpotTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/dashpot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT dashpotTargets NAMESPACE dashpot:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dashpot)
configure_package_config_file(cmake/dashpotConfig.cmake.in ${CMAKE_BINARY_DIR}/dashpotConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dashpot)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/dashpotConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/dashpotConfig.cmake ${CMAKE_BINARY_DIR}/dashpotConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dashpot)
