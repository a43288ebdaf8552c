/* Speed of liblime beside plain stdio loops: reading and writing in pieces of each size, and scanning headers.
 *
 * `plain` does what the reference implementation does for each call, and no more: it counts bytes, limits a request to
 * the record, and calls fread, fwrite or fseeko; like liblime, it passes each complete record on to the system. Both
 * have the same file, in the cache of the system, in turn; the best
 * time of each counts. Prints one line for each size with both speeds and their ratio, which is the time of liblime
 * divided by the one of `plain`. With an argument for the ratio, the status is 1 if one is larger.
 *
 *     examples/c/bench/run [RATIO]
 */
#include <lime.h>

#include <stdint.h>
#include <time.h>

/* --- The plain loops --- */

typedef struct {
    FILE *fp;
    uint64_t left, total, next;
    char type[129];
    int pad, end;
} plain_t;

/* In a file of its own in the original: not inlined into the loop here. */
#define CALL __attribute__((noinline))

static uint64_t big_endian(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    int i;
    for (i = 0; i < count; ++i) value = value << 8 | bytes[i];
    return value;
}

static CALL int plain_next(plain_t *r) {
    unsigned char header[144];
    if (fseeko(r->fp, (off_t)r->next, SEEK_SET) != 0) return LIME_ERR_SEEK;
    if (fread(header, 1, sizeof header, r->fp) != sizeof header) return LIME_EOF;
    if (big_endian(header, 4) != LIME_MAGIC_NO || big_endian(header + 4, 2) != 1) return LIME_ERR_READ;
    r->left = r->total = big_endian(header + 8, 8);
    r->next += sizeof header + (r->total + 7) / 8 * 8;
    memcpy(r->type, header + 16, 128);
    return LIME_SUCCESS;
}

static CALL int plain_read(void *to, n_uint64_t *count, plain_t *r) {
    size_t wanted = *count < r->left ? *count : r->left, got;
    if (r->left == 0) return LIME_EOR;
    got = fread(to, 1, wanted, r->fp);
    *count = got;
    r->left -= got;
    return got == wanted ? LIME_SUCCESS : LIME_ERR_READ;
}

static CALL int plain_begin(plain_t *w, const char *type, uint64_t length) {
    unsigned char header[144] = {0x45, 0x67, 0x89, 0xab, 0, 1, 0xc0};
    int i;
    for (i = 0; i < 8; ++i) header[15 - i] = (unsigned char)(length >> 8 * i);
    strncpy((char *)header + 16, type, 127);
    w->left = w->total = length;
    return fwrite(header, 1, sizeof header, w->fp) == sizeof header ? LIME_SUCCESS : LIME_ERR_WRITE;
}

static CALL int plain_write(const void *from, n_uint64_t *count, plain_t *w) {
    static const char zeros[8];
    size_t wanted = *count < w->left ? *count : w->left, put = fwrite(from, 1, wanted, w->fp);
    *count = put;
    w->left -= put;
    if (put != wanted) return LIME_ERR_WRITE;
    if (w->left == 0) {
        size_t pad = (8 - w->total % 8) % 8;
        if (fwrite(zeros, 1, pad, w->fp) != pad) return LIME_ERR_WRITE;
        if (fflush(w->fp) != 0) return LIME_ERR_WRITE;
    }
    return LIME_SUCCESS;
}

/* --- Measuring --- */

static const char *name;
static char *buffer;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, linkstream_last_error()->message);
    exit(2);
}

static FILE *opened(const char *mode) {
    FILE *fp = fopen(name, mode);
    need(fp != NULL, name);
    return fp;
}

/* What is measured: reading or writing one record in pieces, or the headers of many records. */
typedef struct {
    const char *what;
    size_t piece;     /* Bytes of a call */
    uint64_t length;  /* Bytes of a record */
    uint64_t records; /* Number of them */
} task_t;

static double read_ours(const task_t *task) {
    FILE *fp = opened("rb");
    LimeReader *r = limeCreateReader(fp);
    double start = now();
    int status = LIME_SUCCESS;
    while (limeReaderNextRecord(r) == LIME_SUCCESS) {
        if (task->piece == 0) continue;
        do {
            n_uint64_t count = task->piece;
            status = limeReaderReadData(buffer, &count, r);
        } while (status == LIME_SUCCESS);
        need(status == LIME_EOR, "limeReaderReadData");
    }
    start = now() - start;
    limeDestroyReader(r);
    fclose(fp);
    return start;
}

static double read_plain(const task_t *task) {
    plain_t r = {0};
    double start;
    int status = LIME_SUCCESS;
    r.fp = opened("rb");
    start = now();
    while (plain_next(&r) == LIME_SUCCESS) {
        if (task->piece == 0) continue;
        do {
            n_uint64_t count = task->piece;
            status = plain_read(buffer, &count, &r);
        } while (status == LIME_SUCCESS);
        need(status == LIME_EOR, "plain_read");
    }
    start = now() - start;
    fclose(r.fp);
    return start;
}

static double write_ours(const task_t *task) {
    char type[] = "binary-data";
    FILE *fp = opened("wb");
    LimeWriter *w = limeCreateWriter(fp);
    double start = now();
    uint64_t record, done;
    for (record = 0; record < task->records; ++record) {
        LimeRecordHeader *h = limeCreateHeader(1, 1, type, task->length);
        need(limeWriteRecordHeader(h, w) == LIME_SUCCESS, "limeWriteRecordHeader");
        limeDestroyHeader(h);
        for (done = 0; done < task->length; done += task->piece) {
            n_uint64_t count = task->length - done < task->piece ? task->length - done : task->piece;
            need(limeWriteRecordData(buffer, &count, w) == LIME_SUCCESS, "limeWriteRecordData");
        }
    }
    need(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0, "limeDestroyWriter");
    return now() - start;
}

static double write_plain(const task_t *task) {
    plain_t w = {0};
    double start;
    uint64_t record, done;
    w.fp = opened("wb");
    start = now();
    for (record = 0; record < task->records; ++record) {
        need(plain_begin(&w, "binary-data", task->length) == LIME_SUCCESS, "plain_begin");
        for (done = 0; done < task->length; done += task->piece) {
            n_uint64_t count = task->length - done < task->piece ? task->length - done : task->piece;
            need(plain_write(buffer, &count, &w) == LIME_SUCCESS, "plain_write");
        }
    }
    need(fclose(w.fp) == 0, "fclose");
    return now() - start;
}

/* Returns the ratio of the times. */
static double compare(const task_t *task, double (*ours)(const task_t *), double (*plain)(const task_t *)) {
    double best[2] = {1e9, 1e9}, bytes = (double)task->length * (double)task->records;
    int i;
    for (i = 0; i < 12; ++i) {
        const double times[2] = {plain(task), ours(task)};
        if (times[0] < best[0]) best[0] = times[0];
        if (times[1] < best[1]) best[1] = times[1];
    }
    if (task->piece == 0) printf("%-8s %8s", task->what, "headers");
    else printf("%-8s %8zu", task->what, task->piece);
    if (task->piece == 0) {
        printf(" %9.0f /ms %9.0f /ms", (double)task->records / best[0] / 1e3, (double)task->records / best[1] / 1e3);
    } else {
        printf(" %8.0f MB/s %8.0f MB/s", bytes / best[0] / 1e6, bytes / best[1] / 1e6);
    }
    printf(" %6.2f\n", best[1] / best[0]);
    return best[1] / best[0];
}

int main(int count, char **arguments) {
    static const size_t pieces[] = {8, 24, 72, 96, 288, 576, 4096, 65536, 1 << 20};
    const double limit = count > 2 ? atof(arguments[2]) : 1e9;
    double ratio, worst = 0;
    size_t i;
    if (count < 2) return 2;
    name = arguments[1];
    buffer = calloc(1, 1 << 20);
    need(buffer != NULL, "memory");
    printf("%-8s %8s %13s %13s %6s\n", "", "bytes", "plain", "liblime", "ratio");
    for (i = 0; i < sizeof pieces / sizeof pieces[0]; ++i) {
        const task_t writing = {"write", pieces[i], pieces[i] < 64 ? 2 << 20 : 16 << 20, 1};
        const task_t reading = {"read", pieces[i], writing.length, 1};
        ratio = compare(&writing, write_ours, write_plain);
        worst = ratio > worst ? ratio : worst;
        ratio = compare(&reading, read_ours, read_plain);
        worst = ratio > worst ? ratio : worst;
    }
    {
        /* Small records, whose headers share blocks of the stream, and large ones. */
        static const uint64_t lengths[] = {5, 100, 20000, 200000};
        for (i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
            const task_t small = {"records", lengths[i], lengths[i], 20000000 / (lengths[i] + 10000)};
            const task_t scan = {i == 0 ? "scan 5" : i == 1 ? "scan 100" : i == 2 ? "scan 20k" : "scan 200k", 0, lengths[i],
                                 small.records};
            ratio = compare(&small, write_ours, write_plain);
            worst = ratio > worst ? ratio : worst;
            ratio = compare(&scan, read_ours, read_plain);
            worst = ratio > worst ? ratio : worst;
        }
    }
    free(buffer);
    remove(name);
    printf("largest ratio %.2f\n", worst);
    return worst > limit;
}
