/* Name and version of the library. */
#ifndef LINKSTREAM_LIME_CONFIG_H
#define LINKSTREAM_LIME_CONFIG_H

#define LIME_PACKAGE "lime"
#define LIME_PACKAGE_NAME "lime"
#define LIME_PACKAGE_TARNAME "lime"
#define LIME_PACKAGE_VERSION "1.3.2"
#define LIME_PACKAGE_STRING "lime 1.3.2 (linkstream)"
#define LIME_PACKAGE_BUGREPORT ""

/* For an argument that a function of the program does not use. */
#define _LIME_UNUSED_PARAM(argument) ((void)(argument))

#endif
