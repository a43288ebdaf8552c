#include "report.h"

#include "board.h"

static void print_sums(lse_checksum sum) {
    print(" ");
    print_hexadecimal(sum.suma);
    print(" ");
    print_hexadecimal(sum.sumb);
    print("\n");
}

static void print_layout(const lse_layout *layout) {
    uint32_t i;
    print("field of ");
    for (i = 0u; i < layout->dimensions; i++) {
        if (i > 0u) { print("x"); }
        print_decimal(layout->extents[i]);
    }
    print(" sites, ");
    print_decimal(layout->links.links);
    print(" links of ");
    print_decimal(layout->links.rows);
    print("x");
    print_decimal(layout->links.columns);
    print(", ");
    print_decimal(layout->precision);
    print(" bits: ");
    print_decimal(layout->length);
    print(" bytes\n");
}

void take_event(const lse_field_event *event, summary *summary) {
    switch (event->tag) {
    case LSE_FIELD_FIELD:
        summary->fields++;
        print_layout(&event->as.layout);
        break;
    case LSE_FIELD_DATA:
        summary->data += event->bytes.length;
        break;
    case LSE_FIELD_VERDICT:
        if (event->as.verdict.result == LSE_VERDICT_MATCH) {
            summary->verified++;
            print("checksum OK:");
            print_sums(event->as.verdict.computed);
        } else {
            print("not verified\n");
        }
        break;
    case LSE_FIELD_FINDING:
        print("warning at byte ");
        print_decimal(event->as.finding.offset);
        print("\n");
        break;
    default:
        /* Records and payload that is no data. */
        break;
    }
}

void print_error(const lse_field_decoder *decoder) {
    lse_error error;
    lse_description words;
    if ((lse_field_decoder_error(decoder, &error) == LSE_OK) &&
        (lse_field_decoder_describe(decoder, &words) == LSE_OK)) {
        print("error at byte ");
        print_decimal(error.offset);
        print(": ");
        print_text(words.text.data, words.text.length);
        print(" (");
        print_text(words.rule.data, words.rule.length);
        print("; ");
        print_text(words.clause.data, words.clause.length);
        print(")\n");
    }
}

int32_t print_result(const summary *summary) {
    print_decimal(summary->data);
    print(" bytes of data, ");
    print_decimal(summary->verified);
    print(" of ");
    print_decimal(summary->fields);
    print(" fields verified\n");
    print("memory: statics ");
    print_decimal(statics_size());
    print(", stack ");
    print_decimal(deepest_stack());
    print("\n");
    return ((summary->fields > 0u) && (summary->verified == summary->fields)) ? 0 : 1;
}
