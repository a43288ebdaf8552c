//! The document `ildgFormat` (ILDG 1.2, appendix A.1), and the data length that it implies.

use linkstream::Severity;

use super::{Case, Finding, SCHEMA, case, with_format};
use crate::field::support::ildg::At::{End, Last, Payload, Record, Text};
use crate::field::support::ildg::{document, elements, elements_on};

/// The document with the element moved to its beginning.
fn moved(name: &str, kind: &str) -> String {
    let all = elements(kind);
    let (from, end) = (format!("<{name}>"), format!("</{name}>"));
    let start = all.find(&from).expect("it is present");
    let behind = all.find(&end).expect("it is present") + end.len();
    document("ildgFormat", &[&all[start..behind], &all[..start], &all[behind..]].concat())
}

pub fn schema() -> Vec<Case> {
    let good = document("ildgFormat", &elements("u1phase"));
    let found = |rule, severity, at| (rule, SCHEMA, severity, at);
    let text = |name, text: String, findings: &[Finding]| {
        let fields = usize::from(findings.iter().all(|finding| finding.2 < Severity::Error));
        case(name, with_format(&text), findings, fields)
    };
    let replaced = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replace(from, to)
    };
    let xmlns = " xmlns=\"http://www.lqcd.org/ildg\"";
    let prefixed = |prefix: &str, uri: &str| {
        let tagged = good.replace("</", "\u{1}").replace("<?", "\u{2}").replace('<', &format!("<{prefix}:"));
        let tagged = tagged.replace('\u{1}', &format!("</{prefix}:")).replace('\u{2}', "<?");
        tagged.replace(xmlns, &format!(" xmlns:{prefix} = '{uri}'"))
    };
    let uri = "http://www.lqcd.org/ildg";
    vec![
        text(
            "order",
            moved("lt", "u1phase"),
            &[
                found("xml-element-order", Severity::Warning, Text(0, 0, "<version>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<field>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<precision>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<lx>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<ly>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<lz>")),
            ],
        ),
        text(
            "rows after precision",
            replaced("<lx>", "<rows>1</rows><lx>"),
            &[found("xml-element-order", Severity::Warning, Text(0, 0, "<rows>"))],
        ),
        text(
            "unknown elements, reported once",
            replaced("<lx>", "<a/><precisions>x</precisions><lx>"),
            &[found("xml-element-unknown", Severity::Info, Text(0, 0, "<a/>"))],
        ),
        text(
            "element twice",
            replaced("<lx>", "<lz>1</lz><lx>"),
            &[
                found("xml-element-order", Severity::Warning, Text(0, 0, "<lx>")),
                found("xml-element-order", Severity::Warning, Text(0, 0, "<ly>")),
                found("xml-element-duplicate", Severity::Error, Last(0, 0, "<lz>")),
            ],
        ),
        text(
            "element missing",
            replaced("<lx>2</lx>", ""),
            &[found("xml-element-missing", Severity::Error, Payload(0, 0))],
        ),
        text(
            "value",
            replaced(">32<", ">16<"),
            &[found("xml-value", Severity::Error, Text(0, 0, "<precision>"))],
        ),
        text(
            "version",
            replaced(">1.2<", ">2.0<"),
            &[found("xml-version", Severity::Warning, Payload(0, 0))],
        ),
        text(
            "version of many bytes",
            replaced(">1.2<", ">1.2, and so on<"),
            &[found("xml-version", Severity::Warning, Payload(0, 0))],
        ),
        text(
            "integers with a sign",
            replaced("<lx>2", "<rows>+1</rows><lx>+02"),
            &[found("xml-element-order", Severity::Warning, Text(0, 0, "<rows>"))],
        ),
        text(
            "two signs",
            replaced("<lx>2", "<lx>++2"),
            &[found("xml-not-a-number", Severity::Error, Text(0, 0, "<lx>"))],
        ),
        text(
            "negative",
            replaced("<lx>2", "<lx>-2"),
            &[found("xml-number-signed", Severity::Error, Text(0, 0, "<lx>"))],
        ),
        text(
            "white space in every way of writing",
            replaced("u1phase", "&#32;<![CDATA[\t\n]]> u1phase &#x9;<!-- -->&#10;")
                .replace("32<", "<![CDATA[ 32 ]]><")
                .replace("<lx>2", "<lx>&#13;2"),
            &[],
        ),
        text(
            "rows before their time",
            replaced("1.2<", "1.1<").replace("<precision>", "<rows>1</rows><precision>"),
            &[("xml-rows-version", "ILDG 1.2, section 2.3", Severity::Info, Payload(0, 0))],
        ),
        text(
            "rows that the group does not have",
            replaced("<precision>", "<rows>2</rows><precision>"),
            &[("xml-value", "ILDG 1.2, section 2.5.1", Severity::Error, Payload(0, 0))],
        ),
        text("rows", replaced("<precision>", "<rows>1</rows><precision>"), &[]),
        text(
            "no namespace",
            replaced(xmlns, ""),
            &[found("xml-namespace-missing", Severity::Info, Text(0, 0, ">\n<version>"))],
        ),
        text(
            "another namespace",
            replaced("org/ildg", "org/ildg/"),
            &[found("xml-namespace", Severity::Warning, Text(0, 0, ">\n<version>"))],
        ),
        text(
            "beginning of the namespace",
            replaced("org/ildg", "org/ild"),
            &[found("xml-namespace", Severity::Warning, Text(0, 0, ">\n<version>"))],
        ),
        text(
            "other quotes and other attributes",
            replaced(xmlns, "\n a = \">\" xmlns:q='x'\n\txmlns = 'http://www.lqcd.org/ildg' xmlns:r='y' "),
            &[],
        ),
        text("prefix", prefixed("i", uri), &[]),
        text("longest prefix", prefixed("twelve-bytes", uri), &[]),
        text("prefix and another default", prefixed("i", uri).replace(" xmlns:i", " xmlns='x' xmlns:i"), &[]),
        text(
            "two prefixes",
            prefixed("i", uri)
                .replace(" xmlns:i", &format!(" xmlns:j='{uri}' xmlns:i"))
                .replace("i'>", "i' xmlns:k='z'>"),
            &[],
        ),
        text(
            "prefixed elements only",
            replaced(xmlns, &format!("{xmlns} xmlns:p=\"{uri}\"")).replace("lx>", "p:lx>"),
            &[],
        ),
        text(
            "prefix of the root only",
            prefixed("i", uri).replace("<i:l", "<l").replace("</i:l", "</l"),
            &[found("xml-namespace", Severity::Warning, Text(0, 0, "<lx>"))],
        ),
        text(
            "prefix of the root, default for the others",
            prefixed("i", uri)
                .replace("<i:l", "<l")
                .replace("</i:l", "</l")
                .replace(" xmlns:i", &format!("{xmlns} xmlns:i")),
            &[],
        ),
        text(
            "prefix of another namespace",
            prefixed("i", "urn:x"),
            &[found("xml-wrong-root", Severity::Error, Text(0, 0, ">\n<i:version>"))],
        ),
        text(
            "undeclared prefix",
            prefixed("i", uri).replace("xmlns:i", "xmlns:j"),
            &[found("xml-wrong-root", Severity::Error, Text(0, 0, ">\n<i:version>"))],
        ),
        text(
            "no attribute declares the prefix",
            "<i:ildgFormat></i:ildgFormat>".to_owned(),
            &[found("xml-wrong-root", Severity::Error, Text(0, 0, "></i:"))],
        ),
        text(
            "an element of another namespace",
            replaced("<lx>", "<q:lx>9</q:lx><lx>"),
            &[found("xml-element-unknown", Severity::Info, Text(0, 0, "<q:lx>"))],
        ),
        text(
            "root of another name",
            document("ildgformat", &elements("u1phase")),
            &[found("xml-wrong-root", Severity::Error, Text(0, 0, " xmlns="))],
        ),
        text(
            "root of another name, and no more than that",
            "<f a=\"\"><b/><lt>1</lt><lx>1</lx></f>".to_owned(),
            &[found("xml-wrong-root", Severity::Error, Text(0, 0, " a="))],
        ),
        text(
            "not closed",
            good.replace("</ildgFormat>\n", ""),
            &[("xml-unclosed", "XML 1.0, section 2.1", Severity::Error, End(0, 0))],
        ),
        text(
            "attribute without quotes",
            replaced("<lx>", "<lx a=1>"),
            &[("xml-attribute", "XML 1.0, section 3.1", Severity::Info, Text(0, 0, "1>2</lx>"))],
        ),
        text(
            "end of CDATA in text",
            replaced("<lx>", "<a>]]></a><lx>"),
            &[
                found("xml-element-unknown", Severity::Info, Text(0, 0, "<a>")),
                ("xml-cdata-end", "XML 1.0, section 2.4", Severity::Info, Text(0, 0, "></a>")),
            ],
        ),
        text(
            "hyphens in a comment",
            replaced("<lx>", "<!-- a -- b --><lx>"),
            &[("xml-comment", "XML 1.0, section 2.5", Severity::Info, Text(0, 0, " b -->"))],
        ),
        text(
            "declaration without version",
            replaced(" version=\"1.0\" encoding=\"UTF-8\"", ""),
            &[("xml-declaration", "XML 1.0, section 2.8", Severity::Info, Text(0, 0, ">\n<ildgFormat"))],
        ),
        text(
            "declaration of another version",
            replaced("version=\"1.0\"", "version=\"2.0\""),
            &[("xml-declared-version", "XML 1.0, section 2.8", Severity::Info, Text(0, 0, "\" encoding"))],
        ),
        text(
            "declaration of another encoding",
            replaced("UTF-8", "UTF-16"),
            &[("xml-declared-encoding", "XML 1.0, section 4.3.3", Severity::Info, Text(0, 0, "\"?>"))],
        ),
        text(
            "length",
            replaced("<lt>2", "<lt>3"),
            &[("data-length", "QIO 2.3, section 4.2; ILDG 1.2, section 2.5", Severity::Error, Record(0, 1))],
        ),
        text(
            "overflow",
            document("ildgFormat", &elements_on("su9gauge", [1 << 16, 1 << 16, 1 << 16, 1 << 15])),
            &[(
                "data-length-overflow",
                "QIO 2.3, section 4.2; ILDG 1.2, section 2.5",
                Severity::Error,
                Record(0, 1),
            )],
        ),
    ]
}
