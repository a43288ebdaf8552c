/* Integers of fixed width, which programs include by this name. */
#ifndef LINKSTREAM_QIO_STDINT_H
#define LINKSTREAM_QIO_STDINT_H

#include <stdint.h>

#endif
