/* fseeko and ftello are those of POSIX. */
#ifndef LINKSTREAM_LIME_FSEEKO_H
#define LINKSTREAM_LIME_FSEEKO_H

#include <stdio.h>
#include <sys/types.h>

#include "dcap-overload.h"

#endif
