/* Random calls, against a model of the file in memory: records in any order of bytes, read back in any order. */
#include "check.h"

static n_uint64_t seed;

static n_uint64_t number(n_uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return below == 0 ? 0 : (seed >> 33) % below;
}

#define RECORDS 12
#define LONGEST 300

static char data[RECORDS][LONGEST];
static n_uint64_t lengths[RECORDS];
static int begins[RECORDS], ends[RECORDS];
static off_t offsets[RECORDS + 1];

/* Writes random pieces at random places until each byte has been written. */
static void write_record(LimeWriter *w, FILE *fp, int i) {
    char has[LONGEST] = {0};
    n_uint64_t place = 0, missing = lengths[i], k;
    while (missing > 0) {
        n_uint64_t n, wanted, room = lengths[i] - place;
        if (number(3) == 0 || room == 0) {
            off_t to = (off_t)number(lengths[i] + 1);
            if (number(2) == 0) CHECK(limeWriterSeek(w, to, SEEK_SET) == LIME_SUCCESS);
            else CHECK(limeWriterSeek(w, to - (off_t)place, SEEK_CUR) == LIME_SUCCESS);
            place = (n_uint64_t)to;
            room = lengths[i] - place;
        }
        if (number(5) == 0) CHECK(fseeko(fp, (off_t)number(500), SEEK_SET) == 0);
        n = wanted = number(room + 20);
        /* Too many bytes are refused; those that fit are written. */
        CHECK(limeWriteRecordData(data[i] + place, &n, w) == (wanted > room ? LIME_ERR_PARAM : LIME_SUCCESS));
        CHECK(n == (wanted > room ? room : wanted));
        for (k = place; k < place + n; ++k) {
            missing -= has[k] == 0;
            has[k] = 1;
        }
        place += n;
        CHECK(w->rec_ptr == place && w->header_nextP == (missing == 0));
        if (missing > 0 && number(4) == 0) put_header(w, 1, 1, "early", 0, LIME_ERR_HEADER_NEXT);
    }
    CHECK(ftello(fp) == offsets[i + 1]);
    if (number(2) == 0) CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && ftello(fp) == offsets[i + 1]);
}

static void read_back(FILE *fp, int count) {
    LimeReader *r = limeCreateReader(fp), *other = limeCreateReader(fp);
    int step, now = -1;
    n_uint64_t place = 0;
    for (step = 0; step < 200; ++step) {
        char room[LONGEST];
        n_uint64_t n = number(LONGEST), left = now < 0 ? 0 : lengths[now] - place;
        if (number(6) == 0) CHECK(fseeko(fp, (off_t)number(500), SEEK_SET) == 0);
        if (now < 0 || number(8) == 0) {
            int to = (int)number((n_uint64_t)count + 1);
            CHECK(limeSetReaderPointer(r, offsets[to]) == LIME_SUCCESS && limeGetReaderPointer(r) == offsets[to]);
            CHECK(limeReaderNextRecord(r) == (to == count ? LIME_EOF : LIME_SUCCESS));
            now = to == count ? -1 : to;
            place = 0;
        } else if (number(6) == 0) {
            CHECK(limeReaderNextRecord(r) == (now + 1 == count ? LIME_EOF : LIME_SUCCESS));
            now = now + 1 == count ? -1 : now + 1;
            place = 0;
        } else if (number(6) == 0) {
            CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && ftello(fp) == offsets[now + 1]);
            place = lengths[now];
        } else if (number(3) == 0) {
            off_t to = (off_t)number(lengths[now] + 40) - 20;
            int outside = to < 0 || to > (off_t)lengths[now];
            int status;
            if (number(2) == 0) status = limeReaderSeek(r, to, SEEK_SET);
            else status = limeReaderSeek(r, to - (off_t)place, SEEK_CUR);
            CHECK(status == (outside ? LIME_ERR_SEEK : LIME_SUCCESS));
            place = to < 0 ? 0 : outside ? lengths[now] : (n_uint64_t)to;
        } else if (number(5) == 0) {
            LimeReader copy = *r, *free_one = other;
            CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS);
            other = r;
            r = free_one;
        } else {
            n_uint64_t expected = n < left ? n : left;
            CHECK(limeReaderReadData(room, &n, r) == (left == 0 ? LIME_EOR : LIME_SUCCESS) && n == expected);
            CHECK(memcmp(room, data[now] + place, n) == 0);
            place += n;
        }
        if (now >= 0) {
            CHECK(limeReaderBytes(r) == lengths[now] && limeReaderMBFlag(r) == begins[now]);
            CHECK(limeReaderMEFlag(r) == ends[now] && r->rec_ptr == place);
            CHECK(limeGetReaderPointer(r) == offsets[now + 1]);
            CHECK(limeEOM(r) == (ends[now] && place == lengths[now]));
        } else {
            CHECK(limeReaderType(r) == NULL);
        }
    }
    limeDestroyReader(r);
    limeDestroyReader(other);
}

int main(int argc, char **argv) {
    n_uint64_t round, rounds = argc > 3 ? strtoull(argv[3], NULL, 10) : 150;
    start(argc, argv);
    for (round = 0; round < rounds && failures == 0; ++round) {
        FILE *fp = opened("random", "w+");
        LimeWriter *w = limeCreateWriter(fp);
        int i, count;
        n_uint64_t k;
        seed = round;
        count = 1 + (int)number(RECORDS);
        for (i = 0; i < count; ++i) {
            lengths[i] = number(4) == 0 ? 0 : number(LONGEST - 20);
            begins[i] = i == 0 || ends[i - 1];
            ends[i] = (int)number(2);
            for (k = 0; k < LONGEST; ++k) data[i][k] = (char)number(256);
            offsets[i + 1] = offsets[i] + 144 + (off_t)(lengths[i] + 7) / 8 * 8;
            if (number(4) == 0) put_header(w, !begins[i], ends[i], "wrong", lengths[i], LIME_ERR_MBME);
            put_header(w, begins[i], ends[i], "random", lengths[i], LIME_SUCCESS);
            write_record(w, fp, i);
        }
        CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == offsets[count]);
        read_back(fp, count);
        fclose(fp);
        if (failures != 0) fprintf(stderr, "in round %llu\n", (unsigned long long)round);
    }
    return failures != 0;
}
