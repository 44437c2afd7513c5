# Makes cleave::runtime of an installed cleave: cleavecc knows what programs are linked with on this machine,
# which need not be the one that cleave was built on.
if(TARGET cleave::runtime)
  return()
endif()
execute_process(COMMAND "${cleave_PROGRAMS}/cleavecc" --cleave-arch=none --showme:link
                OUTPUT_VARIABLE line ERROR_VARIABLE message RESULT_VARIABLE code
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(code)
  set(cleave_FOUND FALSE)
  set(cleave_NOT_FOUND_MESSAGE "'${cleave_PROGRAMS}/cleavecc --showme:link' fails: ${message}")
  return()
endif()
separate_arguments(words UNIX_COMMAND "${line}")
set(archives "")
set(others "")
foreach(word ${words})
  if(word MATCHES "^-l(cleave.*)")
    list(APPEND archives ${CMAKE_MATCH_1})
  elseif(NOT word MATCHES "^-Wl,--(as-needed|start-group|end-group)$" AND
         NOT word STREQUAL "-L${cleave_LIBRARY_DIR}")
    list(APPEND others "${word}")
  endif()
endforeach()

# Only what a program refers to becomes one of its shared libraries.
add_library(cleave::cleave STATIC IMPORTED)
set_target_properties(cleave::cleave PROPERTIES
  IMPORTED_LOCATION "${cleave_LIBRARY_DIR}/libcleave.a"
  IMPORTED_LINK_INTERFACE_LANGUAGES C
  INTERFACE_LINK_LIBRARIES "-Wl,--push-state,--as-needed;${others};-Wl,--pop-state")
add_library(cleave::runtime INTERFACE IMPORTED)
set_target_properties(cleave::runtime PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${cleave_INCLUDE_DIR}"
  INTERFACE_LINK_LIBRARIES cleave::cleave)
list(REMOVE_ITEM archives cleave)
foreach(archive ${archives})
  add_library(cleave::${archive} STATIC IMPORTED)
  set_target_properties(cleave::${archive} PROPERTIES
    IMPORTED_LOCATION "${cleave_LIBRARY_DIR}/lib${archive}.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_LINK_LIBRARIES cleave::cleave)
  set_property(TARGET cleave::runtime APPEND PROPERTY INTERFACE_LINK_LIBRARIES cleave::${archive})
endforeach()
