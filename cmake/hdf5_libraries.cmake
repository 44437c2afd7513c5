# Sets CLEAVE_HDF5_LIBRARIES to the files that a program with HDF5 is linked with: the shared library alone,
# or a static one with all that it needs.
foreach(library ${HDF5_C_LIBRARIES})
  if(TARGET ${library})
    get_target_property(library ${library} LOCATION)
  endif()
  list(APPEND CLEAVE_HDF5_LIBRARIES ${library})
endforeach()
set(hdf5_shared ${CLEAVE_HDF5_LIBRARIES})
list(FILTER hdf5_shared INCLUDE REGEX "hdf5[^/]*\\.so")
if(hdf5_shared)
  set(CLEAVE_HDF5_LIBRARIES ${hdf5_shared})
endif()
