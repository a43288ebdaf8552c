/* Constants and structures of QIO. Programs include qio.h, which includes this header. */
#ifndef LINKSTREAM_QIO_TYPES_H
#define LINKSTREAM_QIO_TYPES_H

#include <qio_string.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Offsets have 64 bits. On a computer with 32 bits, compile with -D_FILE_OFFSET_BITS=64. */
#ifndef LINKSTREAM_OFFSETS
#define LINKSTREAM_OFFSETS
typedef char linkstream_offsets_have_64_bits[sizeof(off_t) == 8 ? 1 : -1];
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Volume formats (section 2.1). */
#define QIO_UNKNOWN (-1)     /* reading: the format of the file */
#define QIO_SINGLEFILE 0     /* one file NAME */
#define QIO_MULTIFILE 1      /* a file NAME.volNNNN for each node, sites in the order of the node */
#define QIO_PARTFILE 2       /* a file NAME.volNNNN for each I/O node, sites in lexicographic order */
#define QIO_PARTFILE_DIR 3   /* the same in directories: volNNNN/NAME */

/* Record types (section 4.2). */
#define QIO_FIELD 0  /* data on all sites */
#define QIO_GLOBAL 1 /* data that belong to no site */
#define QIO_HYPER 2  /* data on the sites of a hypercube */

/* Access (section 4.3). */
#define QIO_SERIAL 0
#define QIO_PARALLEL 1
#define QIO_CREAT 0
#define QIO_TRUNC 1
#define QIO_APPEND 2

/* Gauge fields in ILDG files (section 2.4), and the format of a file that is read. */
#define QIO_ILDGNO 0
#define QIO_ILDGLAT 1
#define QIO_SCIDAC_NATIVE 1 /* a file of QIO, or like one */
#define QIO_ILDG_ALIEN 2    /* an ILDG file of another program */

/* Paths of volumes (section 4.6). */
#define QIO_SINGLE_PATH 0 /* all volumes are in one directory */
#define QIO_MULTI_PATH 1  /* each I/O node has its directory */

/* Size of a file name with all that is added to it. The name that the program passes has at most 500 bytes. */
#define QIO_MAX_FILENAME_LENGTH 512

/* Verbosity (section 4.4). With QIO_VERB_OFF, from which a program starts, nothing is printed. */
#define QIO_VERB_OFF 0
#define QIO_VERB_LOW 1
#define QIO_VERB_MED 2
#define QIO_VERB_REG 3
#define QIO_VERB_HIGH 4
#define QIO_VERB_DEBUG 5

/* Return codes. linkstream_last_error describes each but QIO_SUCCESS and QIO_EOF. */
#define QIO_SUCCESS 0
#define QIO_EOF (-1)                   /* the end of the file, after a complete record */
#define QIO_ERR_BAD_WRITE_BYTES (-2)   /* the bytes written are not those of the description */
#define QIO_ERR_OPEN_READ (-3)         /* the file cannot be opened for reading */
#define QIO_ERR_OPEN_WRITE (-4)        /* the file cannot be opened for writing */
#define QIO_ERR_BAD_READ_BYTES (-5)    /* the data are not those of the description, or the file is truncated */
#define QIO_ERR_ALLOC (-6)             /* no memory */
#define QIO_ERR_CLOSE (-7)             /* the file cannot be completed */
#define QIO_ERR_INFO_MISSED (-8)       /* a description is missing */
#define QIO_ERR_BAD_SITELIST (-9)      /* the sites of a volume are not those of the layout */
#define QIO_ERR_PRIVATE_FILE_INFO (-10) /* QIO's description of the file is wrong */
#define QIO_ERR_PRIVATE_REC_INFO (-11) /* QIO's description of the record is wrong */
#define QIO_BAD_XML (-12)              /* a document is malformed */
#define QIO_BAD_ARG (-13)              /* a wrong argument, or a call at a wrong time */
#define QIO_CHECKSUM_MISMATCH (-14)    /* the data are not those that were written */
#define QIO_ERR_FILE_INFO (-15)        /* the description of the file is wrong */
#define QIO_ERR_REC_INFO (-16)         /* the description of the record is wrong, or not what is expected */
#define QIO_ERR_CHECKSUM_INFO (-17)    /* the checksum record is wrong */
#define QIO_ERR_SKIP (-18)             /* a record cannot be skipped */
#define QIO_ERR_BAD_TOTAL_BYTES (-19)  /* the volumes together do not have the bytes of the record */
#define QIO_ERR_BAD_GLOBAL_TYPE (-20)  /* global data in a place where they cannot be */
#define QIO_ERR_BAD_VOLFMT (-21)       /* an unknown volume format */
#define QIO_ERR_BAD_IONODE (-22)       /* a wrong number of an I/O node */
#define QIO_ERR_BAD_SEEK (-23)         /* the file cannot move to a position */
#define QIO_ERR_BAD_SUBSET (-24)       /* the bounds of a hypercube are wrong */

/* Index of a site on its node. */
typedef uint64_t QIO_Index;

/* The structure QIO_Layout has the functions with the suffix _ext. */
#define QIO_HAS_EXTENDED_LAYOUT 1

/* Distribution of the sites over the nodes (section 4.1). Fill the structure with zeros first. Then set either the
 * first four functions, or the four with the suffix _ext: they get `arg` as their last argument, and 64-bit indices.
 * If both are set, the first four are used. Nodes are numbered from 0; the sites of a node have the indices from 0 to
 * num_sites - 1. The functions must be the inverse of each other. They are called by the thread that calls QIO. */
typedef struct QIO_Layout {
    int (*node_number)(const int coords[]);                /* node of a site */
    int (*node_index)(const int coords[]);                 /* index of a site on its node */
    void (*get_coords)(int coords[], int node, int index); /* coordinates of a site: sets latdim numbers */
    int (*num_sites)(int node);                            /* number of sites of a node */
    int (*node_number_ext)(const int coords[], void *arg);
    QIO_Index (*node_index_ext)(const int coords[], void *arg);
    void (*get_coords_ext)(int coords[], int node, QIO_Index index, void *arg);
    QIO_Index (*num_sites_ext)(int node, void *arg);
    void *arg;
    int *latsize;         /* extents of the lattice in sites, latdim numbers */
    int latdim;           /* number of dimensions, 1 to 8; 0 when opening a file for reading: those of the file */
    size_t volume;        /* number of sites of the lattice */
    size_t sites_on_node; /* number of sites of this node; not used by conversions */
    int this_node;
    int number_of_nodes;
} QIO_Layout;

/* The same structure. */
typedef QIO_Layout DML_Layout;

/* How a file is read (section 4.3). */
typedef struct QIO_Iflag {
    int serpar; /* QIO_SERIAL or QIO_PARALLEL */
    int volfmt; /* the format that is preferred if there are files of several, or QIO_UNKNOWN */
} QIO_Iflag;

/* How a file is written (section 4.3). */
typedef struct QIO_Oflag {
    int serpar;          /* QIO_SERIAL or QIO_PARALLEL */
    int mode;            /* QIO_CREAT, QIO_TRUNC or QIO_APPEND */
    int ildgstyle;       /* QIO_ILDGNO or QIO_ILDGLAT */
    QIO_String *ildgLFN; /* logical file name of ILDG, or NULL */
} QIO_Oflag;

/* Nodes that read and write files (sections 4.3 and 4.6). QIO_open_read and QIO_open_write use the first two functions
 * only, because programs set nothing else: if they are NULL, each node is its own I/O node, and node 0 is the master.
 * Conversions use all members: set either the first two functions, or the two with the suffix _ext, which get `arg` as
 * their last argument. */
typedef struct QIO_Filesystem {
    int number_io_nodes; /* number of I/O nodes */
    int type;            /* QIO_SINGLE_PATH or QIO_MULTI_PATH */
    int (*my_io_node)(int node); /* I/O node of a node */
    int (*master_io_node)(void); /* node of the first volume */
    int (*my_io_node_ext)(int node, void *arg);
    int (*master_io_node_ext)(void *arg);
    void *arg;
    int *io_node;     /* numbers of the I/O nodes; NULL: 0 to number_io_nodes - 1 */
    char **node_path; /* QIO_MULTI_PATH: directory of each I/O node, in the same order */
} QIO_Filesystem;

#ifdef __cplusplus
}
#endif
#endif
