/* Programs include the layers of QIO by name, here the one for records. All calls are in qio.h. */
#ifndef LINKSTREAM_LRL_H
#define LINKSTREAM_LRL_H

#include <qio.h>

#endif
