/* Programs include the layers of QIO by name, here the one for data of sites. All calls are in qio.h. */
#ifndef LINKSTREAM_DML_H
#define LINKSTREAM_DML_H

#include <qio.h>

#endif
