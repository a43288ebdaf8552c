//! Files that obey every rule of ILDG 1.2, section 2, and make use of every freedom that it leaves, cause no finding.
//! The same files with one rule broken cause the finding of that rule.

use crate::field::support::build::{Part, file};
use crate::field::support::ildg::{data, format, lfn, update};
use crate::field::support::run::Run;
use host_tests::drive::Random;
use linkstream::Mode;
use proptest::prelude::*;

const KINDS: [&str; 4] = ["u1phase", "u1gauge", "so2gauge", "su2gauge"];

type Messages = Vec<Vec<Part>>;

fn foreign(random: &mut Random) -> Part {
    const TYPES: [&str; 5] = ["xlf-info", "grid-format", "ildgx-format", "ILDG-format", "nothing"];
    (TYPES[random.below(TYPES.len())], vec![b'x'; random.below(9)])
}

/// A file with one message for each field: format, update if it is required or allowed, and data. Foreign records
/// precede, follow and separate these; the logical file name is anywhere.
fn conforming(random: &mut Random) -> Messages {
    let fields = 1 + random.below(4);
    let kinds: Vec<&str> = (0..fields).map(|_| KINDS[random.below(KINDS.len())]).collect();
    let repeated = (1..fields).any(|n| kinds[..n].contains(&kinds[n]));
    // Fields with the same update may have it in any of their messages (section 2.4).
    let one_update = (!repeated && random.below(2) == 0).then(|| random.below(1000).to_string());
    let mut messages: Messages = Vec::new();
    for (n, kind) in kinds.iter().enumerate() {
        let mut message = vec![format(kind), data(kind)];
        match &one_update {
            Some(digits) if random.below(2) == 0 => message.insert(1, update(digits)),
            Some(_) => {}
            None => message.insert(1, update(&format!("{n}{}", random.below(1000)))),
        }
        messages.push(message);
    }
    for message in &mut messages {
        for _ in 0..random.below(4) {
            let at = random.below(message.len() + 1);
            message.insert(at, foreign(random));
        }
    }
    let name = lfn(["lfn://a", "b\n", " c \0"][random.below(3)]);
    let at = random.below(messages.len() + 1);
    match messages.get_mut(at).filter(|_| random.below(2) == 0) {
        Some(message) => {
            let place = random.below(message.len() + 1);
            message.insert(place, name);
        }
        None => messages.insert(at, vec![name]),
    }
    if random.below(3) == 0 {
        messages.insert(random.below(messages.len() + 1), vec![foreign(random)]);
    }
    messages
}

/// Indices of the message and the record of the first record of this type.
fn find(messages: &Messages, kind: &str) -> Option<(usize, usize)> {
    let each = messages.iter().enumerate();
    each.filter_map(|(n, message)| Some((n, message.iter().position(|(own, _)| *own == kind)?))).next_back()
}

fn replace(part: &mut Part, from: &str, to: &str) {
    let text = String::from_utf8(part.1.clone()).expect("ASCII");
    assert!(text.contains(from), "{from}");
    part.1 = text.replacen(from, to, 1).into_bytes();
}

/// Breaks the rule with this number in a valid file. Returns the name of the rule, or `None` if the file contains
/// nothing that could break it.
fn broken(messages: &mut Messages, rule: usize) -> Option<&'static str> {
    let formats = find(messages, "ildg-format")?;
    let datas = find(messages, "ildg-binary-data")?;
    let updates = find(messages, "ildg-update");
    let name = find(messages, "ildg-data-lfn")?;
    let format = messages[formats.0][formats.1].clone();
    Some(match rule {
        0 => {
            messages[name.0].remove(name.1);
            "ildg-lfn-missing"
        }
        1 => {
            messages.push(vec![lfn("another")]);
            "ildg-lfn-repeated"
        }
        2 => {
            messages[name.0][name.1] = lfn("a name");
            "ildg-lfn-not-single"
        }
        3 => {
            messages[name.0][name.1] = lfn("\u{7f}");
            "ildg-text-byte"
        }
        4 => {
            let (message, record) = updates?;
            let update = messages[message].remove(record);
            let behind = messages[message].iter().position(|(kind, _)| *kind == "ildg-binary-data")?;
            messages[message].insert(behind + 1, update);
            "ildg-update-misplaced"
        }
        5 => {
            let (message, record) = updates?;
            let update = messages[message].remove(record);
            messages[message].insert(0, update);
            "ildg-update-misplaced"
        }
        6 => {
            let (message, record) = updates?;
            let update = messages[message][record].clone();
            messages[message].insert(record, update);
            "ildg-update-repeated"
        }
        7 => {
            let (message, record) = updates?;
            messages[message][record].1.insert(0, b'+');
            "ildg-update-not-digits"
        }
        8 => {
            // The whole message is repeated: the same field, with the same update if it has one.
            let mut again = messages[datas.0].clone();
            again.retain(|(kind, _)| *kind != "ildg-data-lfn");
            let updated = again.iter().any(|(kind, _)| *kind == "ildg-update");
            messages.push(again);
            if updated { "ildg-field-repeated" } else { "ildg-update-missing" }
        }
        9 => {
            messages[formats.0].insert(formats.1, ("ildg-lfn", vec![]));
            "ildg-type-unknown"
        }
        10 => {
            messages[formats.0].remove(formats.1);
            messages[formats.0].push(format);
            "ildg-format-behind-data"
        }
        11 => {
            messages[formats.0].insert(formats.1, format);
            "ildg-format-repeated"
        }
        12 => {
            messages[formats.0].remove(formats.1);
            messages.insert(formats.0, vec![format]);
            "data-described-in-another-message"
        }
        13 => {
            messages[datas.0][datas.1].1.push(0);
            "data-length"
        }
        14 => {
            replace(&mut messages[formats.0][formats.1], "<lx>2</lx>", "");
            "xml-element-missing"
        }
        15 => {
            replace(&mut messages[formats.0][formats.1], "<lx>2</lx><ly>1</ly>", "<ly>1</ly><lx>2</lx>");
            "xml-element-order"
        }
        16 => {
            replace(&mut messages[formats.0][formats.1], "lqcd.org", "LQCD.org");
            "xml-namespace"
        }
        17 => {
            replace(&mut messages[formats.0][formats.1], "<lt>2<", "<lt>two<");
            "xml-not-a-number"
        }
        _ => return None,
    })
}

const RULES: usize = 18;

fn rules(messages: &Messages) -> Vec<&'static str> {
    let messages: Messages = messages.iter().filter(|message| !message.is_empty()).cloned().collect();
    Run::clean(Mode::Survey, &file(&messages), 61, "generated").rules()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_is_reported_when_it_is_broken_and_only_then(seed in any::<u64>()) {
        let messages = conforming(&mut Random(seed));
        prop_assert_eq!(rules(&messages), Vec::<&str>::new());
        for rule in 0..RULES {
            let mut messages = messages.clone();
            if let Some(name) = broken(&mut messages, rule) {
                let reported = rules(&messages);
                prop_assert!(reported.contains(&name), "{} instead of {}", reported.join(", "), name);
            }
        }
    }
}

/// The generated files make use of each freedom.
#[test]
fn generated_files_use_each_freedom() {
    let files: Vec<Messages> = (0..200).map(|seed| conforming(&mut Random(seed))).collect();
    for rule in 0..RULES {
        let count = files.iter().filter(|messages| broken(&mut (*messages).clone(), rule).is_some()).count();
        assert!(count > 100, "rule {rule} is broken in {count} files only");
    }
    assert_eq!(broken(&mut files[0].clone(), RULES), None, "every rule must have a number below RULES");
    let data =
        |messages: &Messages| messages.iter().flatten().filter(|(kind, _)| kind.ends_with("-data")).count();
    assert!((1..=4).all(|fields| files.iter().any(|messages| data(messages) == fields)));
}
