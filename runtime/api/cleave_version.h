/* cleave_version.h: the version of cleave that a program is compiled with. CMakeLists.txt reads it
 * here. */
#ifndef CLEAVE_VERSION_H
#define CLEAVE_VERSION_H

#define CLEAVE_VERSION_MAJOR 0
#define CLEAVE_VERSION_MINOR 1
#define CLEAVE_VERSION_PATCH 0
#define CLEAVE_VERSION "0.1.0"
/* For comparisons: 10203 is 1.2.3. */
#define CLEAVE_VERSION_NUMBER                                                                      \
    (CLEAVE_VERSION_MAJOR * 10000 + CLEAVE_VERSION_MINOR * 100 + CLEAVE_VERSION_PATCH)

#endif
