# What projects get from find_package(cleave) or add_subdirectory(cleave), besides cleave::runtime:
#
#   cleave_target(NAME [EMIT schedules...] [ARCH architectures...] [FLAGS --cleave-...])
#
# The sources of the target, an executable or a library in C or C++, are compiled by the project's own
# compiler through cleavecc, and the target is linked with cleave::runtime. EMIT and ARCH are the
# words of --cleave-emit and --cleave-arch, FLAGS are any others of cleavecc's flags.

# Sets `out` to cleavecc's flags for these arguments of cleave_target.
function(cleave_target_flags out emit arch flags)
  set(words ${flags})
  foreach(flag ${flags})
    if(NOT flag MATCHES "^--cleave-")
      message(FATAL_ERROR "cleave_target: '${flag}' is no flag of cleavecc's; give others to "
              "target_compile_options")
    endif()
  endforeach()
  foreach(name emit arch)
    if(${name})
      list(JOIN ${name} "," joined)
      list(APPEND words "--cleave-${name}=${joined}")
    endif()
  endforeach()
  set(${out} ${words} PARENT_SCOPE)
endfunction()

# Has the sources of one language compiled through `cleavecc`.
function(cleave_target_compile target language cleavecc flags)
  file(REAL_PATH "${CMAKE_${language}_COMPILER}" compiler)
  file(REAL_PATH "${cleavecc}" itself)
  if(compiler STREQUAL itself)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS
                 "$<$<COMPILE_LANGUAGE:${language}>:${flags}>")
    return()
  endif()
  get_target_property(launcher ${target} ${language}_COMPILER_LAUNCHER)
  if(launcher MATCHES "--cleave-launch")
    message(FATAL_ERROR "cleave_target: '${target}' is one already")
  endif()
  set(launch --cleave-launch)
  if(launcher)
    list(JOIN launcher " " launcher)
    set(launch "--cleave-launch=${launcher}")
  endif()
  set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER "${cleavecc}" ${flags} "${launch}")
endfunction()

function(cleave_target target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "EMIT;ARCH;FLAGS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cleave_target: '${ARG_UNPARSED_ARGUMENTS}' is none of EMIT, ARCH and FLAGS")
  elseif(NOT TARGET ${target})
    message(FATAL_ERROR "cleave_target: there is no target '${target}'")
  elseif(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "cleave_target: the generator '${CMAKE_GENERATOR}' has no compiler launchers; "
            "use Ninja or Makefiles, or cleavecc as the compiler")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "EXECUTABLE|LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "cleave_target: '${target}' has no sources to compile")
  endif()
  cleave_target_flags(flags "${ARG_EMIT}" "${ARG_ARCH}" "${ARG_FLAGS}")
  get_property(programs GLOBAL PROPERTY CLEAVE_PROGRAMS)
  cleave_target_compile(${target} C ${programs}/cleavecc "${flags}")
  cleave_target_compile(${target} CXX ${programs}/cleavec++ "${flags}")
  # Not by target_link_libraries, which takes only one of its two forms for a target.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES cleave::runtime)
  if(type MATCHES "STATIC|OBJECT")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES $<LINK_ONLY:cleave::runtime>)
  endif()
  if(TARGET cleavecc)
    add_dependencies(${target} cleavecc)
  endif()
endfunction()
