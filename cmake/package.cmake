# What others find cleave by: find_package, add_subdirectory and pkg-config; packages; uninstall.
include(CMakePackageConfigHelpers)

# for add_subdirectory
set_property(GLOBAL PROPERTY CLEAVE_PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
add_library(cleave_runtime INTERFACE)
add_library(cleave::runtime ALIAS cleave_runtime)
target_include_directories(cleave_runtime INTERFACE ${PROJECT_BINARY_DIR}/include/cleave)
set(cuda_libraries "")
if(TARGET cleave_cuda)
  find_library(CLEAVE_CUDART libcudart_static.a HINTS ${CLEAVE_CUDA_INCLUDE}/.. NO_DEFAULT_PATH
               PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib DOC "CUDA's runtime library")
  if(NOT CLEAVE_CUDART)
    set(CLEAVE_CUDART cudart_static)
  endif()
  set(cuda_libraries ${CLEAVE_CUDART} rt pthread)
  target_link_libraries(cleave_runtime INTERFACE cleave_cuda)
  target_link_libraries(cleave_cuda INTERFACE cleave ${cuda_libraries} stdc++)
endif()
if(TARGET cleave_hdf5)
  target_link_libraries(cleave_runtime INTERFACE cleave_hdf5)
endif()
target_link_libraries(cleave_runtime INTERFACE cleave)
include(cmake/cleave_target.cmake)

# for find_package
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cleave)
configure_package_config_file(cmake/cleaveConfig.cmake.in ${PROJECT_BINARY_DIR}/cleaveConfig.cmake
  INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cleaveConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cleaveConfig.cmake ${PROJECT_BINARY_DIR}/cleaveConfigVersion.cmake
        cmake/cleave_target.cmake cmake/cleave_runtime.cmake DESTINATION ${package_folder})

# for pkg-config
set(libraries "")
foreach(archive cleave_hdf5 cleave_cuda cleave)
  if(TARGET ${archive})
    list(APPEND libraries -l${archive})
  endif()
endforeach()
list(APPEND libraries -Wl,--push-state,--as-needed)
if(TARGET cleave_cuda)
  string(REGEX REPLACE "^([^/].*)" "-l\\1" CLEAVE_CUDART ${CLEAVE_CUDART})
  list(APPEND libraries ${CLEAVE_CUDART} -lrt -lpthread -lstdc++)
endif()
list(APPEND libraries ${CLEAVE_HDF5_LIBRARIES} -Wl,--pop-state -fopenmp -lm -ldl)
list(JOIN libraries " " CLEAVE_PC_LIBRARIES)
file(RELATIVE_PATH CLEAVE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/cleave.pc.in ${PROJECT_BINARY_DIR}/cleave.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cleave.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(folder pass pass/driver splitter codegen runtime runtime/api runtime/hdf5 runtime/model
        runtime/planner runtime/tune)
  install(FILES ${folder}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
add_custom_target(uninstall COMMENT "removing what was installed" VERBATIM
  COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

# cpack -G DEB, cpack -G TGZ. A compiler needs compilers: libclang wants clang's own headers, too.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR "the cleave authors")
set(CPACK_PACKAGE_CONTACT "the cleave authors <maintainers@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
string(REGEX MATCH "llvm-([0-9]+)" found "${LIBCLANG_LIBRARY}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc, g++, binutils")
if(CMAKE_MATCH_1)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libclang-common-${CMAKE_MATCH_1}-dev")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libmetis5)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhdf5-dev, nvidia-cuda-toolkit")
find_program(CLEAVE_SHLIBDEPS dpkg-shlibdeps DOC "finds the packages of shared libraries for cpack -G DEB")
if(CLEAVE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
elseif(CMAKE_MATCH_1)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libc6, libclang1-${CMAKE_MATCH_1}")
endif()
include(CPack)
