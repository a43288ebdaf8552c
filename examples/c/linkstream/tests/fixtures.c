/* All fixtures against their manifests: verdicts, LIME records, and the numbers of fields by the formulas. */
#include "check.h"

#include <inttypes.h>
#include <math.h>

#define MAX_RECORDS 4096
#define MAX_FIELDS 64

/* A data record, as the manifest describes it. */
struct described { char formula[8], precision[4]; uint64_t seed; unsigned type, typesize, datacount, word; };

/* A file of a manifest. */
struct entry {
    char path[512], should[256];
    struct { uint64_t offset, length; int begin, end; char type[160]; } records[MAX_RECORDS];
    size_t record_count;
    uint64_t all_records;
    struct described fields[MAX_FIELDS];
    size_t field_count;
};

static const char *root;
static unsigned files, verified_fields, compared_numbers, refused;

/* The text between quotation marks after `key = `; empty if the line does not have it. */
static void text_of(const char *line, const char *key, char *out, size_t size) {
    char search[64];
    const char *at;
    size_t n = 0;
    snprintf(search, sizeof search, "%s = \"", key);
    at = strstr(line, search);
    out[0] = 0;
    if (!at) return;
    for (at += strlen(search); *at && *at != '"' && n + 1 < size; ++at) {
        out[n++] = *at;
    }
    out[n] = 0;
}

/* Texts that the manifest has without escapes. */
static int is_plain(const char *text) {
    for (; *text; ++text) if ((unsigned char)*text >= 127 || *text == '\\') return 0;
    return 1;
}

static uint64_t number_of(const char *line, const char *key) {
    char search[64];
    const char *at;
    snprintf(search, sizeof search, "%s = ", key);
    at = strstr(line, search);
    return at ? strtoull(at + strlen(search), NULL, 10) : 0;
}

static uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The formulas of the manifest of `qio`. */
static int value(const struct described *field, uint64_t rank, uint64_t word, double *out) {
    const uint64_t h = mix64(field->seed + (rank * 65536 + word + 1) * UINT64_C(0x9E3779B97F4A7C15));
    if (strcmp(field->formula, "lin") == 0) *out = (double)(1024 * rank + word);
    else if (strcmp(field->formula, "const") == 0) *out = 1;
    else if (strcmp(field->formula, "mix") != 0) return 0;
    else if (field->precision[0] == 'F') *out = ldexp((double)(h >> 40) - 8388608.0, -20);
    else *out = ldexp((double)(int64_t)((h >> 11) - (UINT64_C(1) << 52)), -49);
    return 1;
}

/* The links of the formula "su3" of a site. */
static void links(const struct described *field, uint64_t rank, double out[4][3][3][2]) {
    int mu, i, j;
    for (mu = 0; mu < 4; ++mu) {
        double (*u)[3][2] = out[mu], norm = 0, dot[2] = {0, 0};
        uint64_t s = field->seed + (4 * rank + (uint64_t)mu) * UINT64_C(0xD1342543DE82EF95);
        for (i = 0; i < 2; ++i) for (j = 0; j < 6; ++j) {
            s += UINT64_C(0x9E3779B97F4A7C15);
            u[i][j / 2][j % 2] = ldexp((double)(mix64(s) >> 11), -53) * 2 - 1;
        }
        for (j = 0; j < 3; ++j) norm += u[0][j][0] * u[0][j][0] + u[0][j][1] * u[0][j][1];
        for (j = 0; j < 6; ++j) u[0][j / 2][j % 2] /= sqrt(norm);
        for (j = 0; j < 3; ++j) {
            dot[0] += u[0][j][0] * u[1][j][0] + u[0][j][1] * u[1][j][1];
            dot[1] += u[0][j][0] * u[1][j][1] - u[0][j][1] * u[1][j][0];
        }
        for (j = 0, norm = 0; j < 3; ++j) {
            u[1][j][0] -= dot[0] * u[0][j][0] - dot[1] * u[0][j][1];
            u[1][j][1] -= dot[0] * u[0][j][1] + dot[1] * u[0][j][0];
            norm += u[1][j][0] * u[1][j][0] + u[1][j][1] * u[1][j][1];
        }
        for (j = 0; j < 6; ++j) u[1][j / 2][j % 2] /= sqrt(norm);
        for (j = 0; j < 3; ++j) {
            const double *a = u[0][(j + 1) % 3], *b = u[0][(j + 2) % 3], *c = u[1][(j + 1) % 3], *d = u[1][(j + 2) % 3];
            u[2][j][0] = a[0] * d[0] - a[1] * d[1] - (b[0] * c[0] - b[1] * c[1]);
            u[2][j][1] = -(a[0] * d[1] + a[1] * d[0] - (b[0] * c[1] + b[1] * c[0]));
        }
    }
}

static int32_t verdict_of(const char *path, uint32_t flags) {
    linkstream_check how = {0};
    linkstream_report *report = NULL;
    linkstream_report_info about = {0};
    how.struct_size = sizeof how;
    about.struct_size = sizeof about;
    how.flags = flags;
    NEED(linkstream_check_path(path, &how, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(about.json_length > 10 && about.is_ok == (about.verdict < LINKSTREAM_VERDICT_WRONG));
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    return about.verdict;
}

static void compare(const char *path, linkstream_file *file, uint64_t index, const struct described *described) {
    linkstream_field_info field = {0};
    linkstream_read how = {0};
    double *numbers;
    uint64_t i, of_site, wrong = 0, per_item = described->typesize / described->word;
    field.struct_size = sizeof field;
    how.struct_size = sizeof how;
    CHECK(linkstream_field_get(file, index, &field) == LINKSTREAM_OK);
    CHECK(field.items == described->datacount);
    CHECK(field.bytes_per_site == (uint64_t)described->typesize * described->datacount);
    if (field.element != LINKSTREAM_F32 && field.element != LINKSTREAM_F64) return;
    CHECK(field.element == (described->precision[0] == 'F' ? LINKSTREAM_F32 : LINKSTREAM_F64));
    /* All numbers in double precision: exact also for single precision. */
    how.element = LINKSTREAM_F64;
    numbers = need_memory(field.numbers * sizeof *numbers);
    {
        const int32_t answer = linkstream_field_read(file, index, &how, numbers, field.numbers * sizeof *numbers);
        CHECK(answer == (field.has_checksum ? LINKSTREAM_OK : LINKSTREAM_UNVERIFIED));
        if (answer < 0) fprintf(stderr, "    %s, field %" PRIu64 "\n", path, index);
        verified_fields += answer == LINKSTREAM_OK;
    }
    of_site = per_item * described->datacount;
    /* Ranks in hypercubes count sites of the whole lattice: their values are covered by the checksums. */
    for (i = 0; described->type < 2 && i < field.numbers; ++i) {
        const uint64_t rank = i / of_site, word = i % of_site;
        double expected;
        if (strcmp(described->formula, "su3") == 0) {
            double u[4][3][3][2];
            /* Once a site, all words at once. */
            if (word || of_site != 72) continue;
            links(described, rank, u);
            for (expected = 0; expected < 72; ++expected) {
                const size_t k = (size_t)expected;
                const double limit = described->precision[0] == 'F' ? 1e-6 : 1e-14;
                wrong += !(fabs(numbers[i + k] - (&u[0][0][0][0])[k]) < limit);
                ++compared_numbers;
            }
        } else if (value(described, rank, word, &expected)) {
            wrong += numbers[i] != expected;
            ++compared_numbers;
        }
    }
    if (wrong) fprintf(stderr, "%s: field %" PRIu64 ": %" PRIu64 " wrong numbers\n", path, index, wrong);
    CHECK(wrong == 0);
    free(numbers);
}

static void one(const char *directory, const struct entry *entry) {
    char path[2048];
    const int is_volume = strstr(entry->path, ".vol") != NULL || strstr(entry->path, "vol0") != NULL;
    const int is_broken = strncmp(directory, "broken", 6) == 0;
    const int is_rejected = strncmp(entry->should, "reject:", 7) == 0 && !strstr(entry->should, "accept");
    const int must_fail = is_rejected || strcmp(entry->should, "error") == 0;
    linkstream_file *file = NULL;
    linkstream_file_info about = {0};
    int32_t opened, strict, lenient;
    int before;
    size_t i;
    about.struct_size = sizeof about;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/%s/%s", root, directory, entry->path);
    /* Files of other projects are not part of the repository. */
    if (!exists(path) && (strstr(path, "/wild/") || strstr(path, "/libsc-"))) return;
    ++files;
    before = failures;
    strict = verdict_of(path, 0);
    lenient = verdict_of(path, LINKSTREAM_LENIENT);
    opened = linkstream_open_path(path, &file);
    CHECK(strict != LINKSTREAM_VERDICT_UNREADABLE && lenient <= strict);
    /* What is opened is certain, and what is refused is wrong. */
    CHECK((file != NULL) == (opened == LINKSTREAM_OK));
    if (opened != LINKSTREAM_OK) {
        ++refused;
        CHECK(opened == LINKSTREAM_ERR_BROKEN || opened == LINKSTREAM_ERR_FORMAT);
        CHECK(lenient == LINKSTREAM_VERDICT_WRONG || linkstream_last_error()->rule[0] != 0);
    }
    if (must_fail) CHECK(strict == LINKSTREAM_VERDICT_WRONG);
    if (is_broken && strcmp(entry->should, "accept") == 0) CHECK(lenient != LINKSTREAM_VERDICT_WRONG);
    if (failures > before) fprintf(stderr, "in %s: %d %d %d\n", path, strict, lenient, opened);
    if (file == NULL) return;
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK);
    if (!is_volume && entry->record_count && !is_broken) {
        CHECK(about.records == entry->all_records);
        /* The manifest lists the first ones of many. */
        for (i = 0; i < entry->record_count && i < about.records; ++i) {
            linkstream_record_info record = {0};
            record.struct_size = sizeof record;
            CHECK(linkstream_record_get(file, i, &record) == LINKSTREAM_OK);
            CHECK(record.offset == entry->records[i].offset && record.bytes == entry->records[i].length);
            CHECK(record.begins_message == entry->records[i].begin && record.ends_message == entry->records[i].end);
            if (is_plain(entry->records[i].type)) CHECK(strcmp(record.type, entry->records[i].type) == 0);
        }
    }
    if (entry->field_count && !is_broken) {
        CHECK(about.fields == entry->field_count);
        for (i = 0; i < entry->field_count && i < about.fields; ++i) compare(path, file, i, &entry->fields[i]);
    }
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    if (failures > before) fprintf(stderr, "in %s\n", path);
}

static void manifest(const char *directory) {
    char path[2048], *line = need_memory(1 << 16);
    struct entry *entry = need_memory(sizeof *entry);
    FILE *file;
    int has_entry = 0;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/%s/MANIFEST.toml", root, directory);
    file = fopen(path, "r");
    NEED(file != NULL);
    memset(entry, 0, sizeof *entry);
    while (fgets(line, 1 << 16, file)) {
        if (line[0] == '#') continue;
        if (strncmp(line, "[[file]]", 8) == 0) {
            if (has_entry) one(directory, entry);
            memset(entry, 0, sizeof *entry);
            has_entry = 1;
        } else if (strncmp(line, "path = ", 7) == 0) {
            text_of(line, "path", entry->path, sizeof entry->path);
        } else if (strncmp(line, "lime_count = ", 13) == 0) {
            entry->all_records = number_of(line, "lime_count");
        } else if (strncmp(line, "should = ", 9) == 0) {
            text_of(line, "should", entry->should, sizeof entry->should);
        } else if (strncmp(line, "expect = ", 9) == 0) {
            text_of(line, "expect", entry->should, sizeof entry->should);
        } else if (strncmp(line, "  { off = ", 10) == 0 && entry->record_count < MAX_RECORDS) {
            const size_t n = entry->record_count++;
            entry->records[n].offset = number_of(line, "off");
            entry->records[n].length = number_of(line, "len");
            entry->records[n].begin = (int)number_of(line, "mb");
            entry->records[n].end = (int)number_of(line, "me");
            text_of(line, "type", entry->records[n].type, sizeof entry->records[n].type);
        } else if (strncmp(line, "  { index = ", 12) == 0 && entry->field_count < MAX_FIELDS) {
            struct described *field = &entry->fields[entry->field_count++];
            char seed[32];
            text_of(line, "formula", field->formula, sizeof field->formula);
            text_of(line, "precision", field->precision, sizeof field->precision);
            text_of(line, "seed", seed, sizeof seed);
            field->seed = strtoull(seed, NULL, 16);
            field->type = (unsigned)number_of(line, "recordtype");
            field->typesize = (unsigned)number_of(line, "typesize");
            field->datacount = (unsigned)number_of(line, "datacount");
            field->word = (unsigned)number_of(line, "word_size");
        }
    }
    if (has_entry) one(directory, entry);
    fclose(file);
    free(entry);
    free(line);
}

/* A file as another program writes it: its verdict, if a broken rule of a format does not count. */
static void foreign(const char *name, int32_t verdict) {
    char path[2048];
    linkstream_check check = {sizeof check, LINKSTREAM_LENIENT, 0, NULL, NULL};
    linkstream_report_info info = {sizeof info, 0, 0, 0, 0, 0, ""};
    linkstream_report *report = NULL;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/foreign/%s", root, name);
    CHECK(linkstream_check_path(path, &check, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &info) == LINKSTREAM_OK);
    if (info.verdict != verdict) fprintf(stderr, "%s: verdict %d\n", name, (int)info.verdict);
    CHECK(info.verdict == verdict);
    CHECK(info.is_ok == (verdict != LINKSTREAM_VERDICT_WRONG));
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
}

/* All of them. */
static void all_foreign(void) {
    static const char *const ok[] = {
        "02-cps-empty-ensemble.nersc", "03-grid-su2-full.nersc", "03-grid-su4-reduced.nersc",
        "03b-glu-su2-reduced-f32le.nersc", "03c-qdp-su5-full-f32.nersc", "03d-grid-su4-full-ieee64.nersc",
        "04-ckpoints/ckpoint_lat.10", "04-ckpoints/ckpoint_rng.10", "05-glu-ildg.lime", "05b-glu-scidac.lime",
        "08-cl2qcd.ildg", "09-bqcd.ildg", "09c-bqcd-wrongplaq.ildg", "18b-cps-prop-c1d12.lime",
        "22-quda-gauge-D.lime", "22b-quda-old-gauge-F.lime", "22c-nthmc-D.lime", "24c-4096-padded.ildg",
        "25d-checksum-before-data.ildg", "34-tmlqcd-plain.prop", "34b-tmlqcd-source.lime",
    };
    static const char *const unverified[] = {"06-openstaple.ildg", "20f-openqcd"};
    static const char *const wrong[] = {
        "03e-grid-old-su2-as-su3.nersc", "03f-grid-old-su4-as-su3.nersc", "03g-su2-bitflip.nersc",
        "08b-cl2qcd-bitflip.ildg", "09b-bqcd-bitflip.ildg", "12b-bridge-no-metadata.ildg",
        "15-toolbox-le-be-sum.nersc", "16-tmlqcd-wrong-plaq.ildg", "20-milc-ksprop", "20b-fnal", "20c-milc-v4",
        "20d-hirep", "20e-openqcd", "20g-mdp.mdp", "20h-milc-1996", "20j-milc-wprop", "20n-milc-ascii", "20o-milc-u1",
        "20p-qlattice.field", "25e-checksum-before-damaged.ildg", "32-glu-scidac-bitflip.lime",
    };
    size_t i;
    for (i = 0; i < sizeof ok / sizeof *ok; ++i) foreign(ok[i], LINKSTREAM_VERDICT_OK);
    for (i = 0; i < sizeof unverified / sizeof *unverified; ++i) foreign(unverified[i], LINKSTREAM_VERDICT_UNVERIFIED);
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) foreign(wrong[i], LINKSTREAM_VERDICT_WRONG);
}

/* The links of openQCD are those of the file with the same links in another order: all of them, and each time slice.
 * Nothing verifies them. */
static void open_qcd(void) {
    enum { SLICE = 4 * 4 * 4 * 4 * 18, ALL = 8 * SLICE };
    linkstream_file *file = NULL;
    linkstream_field_info about = {0};
    double *expected = need_memory(ALL * sizeof *expected), *found = need_memory(ALL * sizeof *found);
    char path[2048];
    uint64_t t;
    about.struct_size = sizeof about;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/foreign/22-quda-gauge-D.lime", root);
    CHECK(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, expected, ALL * sizeof *expected) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    snprintf(path, sizeof path, "%s/host-tests/fixtures/foreign/20f-openqcd", root);
    CHECK(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_get(file, 0, &about) == LINKSTREAM_OK);
    CHECK(about.element == LINKSTREAM_F64 && about.has_checksum == 0);
    CHECK(linkstream_field_read(file, 0, NULL, found, ALL * sizeof *found) == LINKSTREAM_UNVERIFIED);
    CHECK(memcmp(found, expected, ALL * sizeof *found) == 0);
    for (t = 0; t < 8; ++t) {
        linkstream_read how = {0};
        how.struct_size = sizeof how;
        how.first_slice = t;
        how.slices = 1;
        memset(found, 0, SLICE * sizeof *found);
        CHECK(linkstream_field_read(file, 0, &how, found, SLICE * sizeof *found) == LINKSTREAM_UNVERIFIED);
        CHECK(memcmp(found, expected + t * SLICE, SLICE * sizeof *found) == 0);
    }
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(expected);
    free(found);
}

int main(int count, char **arguments) {
    static const char *const directories[] = {
        "lime", "qio", "scda", "inebin", "broken", "broken-scda", "broken-inebin",
    };
    size_t i;
    if (count < 3) return 2;
    root = arguments[2];
    for (i = 0; i < sizeof directories / sizeof directories[0]; ++i) manifest(directories[i]);
    all_foreign();
    open_qcd();
    /* The manifests are read: nothing of this is empty. */
    CHECK(files > 500 && verified_fields > 100 && compared_numbers > 100000 && refused > 100);
    if (failures) fprintf(stderr, "%u files, %u fields, %u numbers\n", files, verified_fields, compared_numbers);
    return failures != 0;
}
