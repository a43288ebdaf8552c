//! Manifests that were damaged, cut, or made by somebody else.

use std::fs;

use super::{changes, entries, go, manifest, store};
use crate::common::{said, status};

/// A manifest with these lines and the right last line: what only an attacker makes.
pub fn sealed(lines: &[String]) -> String {
    use sha2::Digest as _;

    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let hash: String =
        sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}{{\"schema\":3,\"entries\":{},\"manifest_sha256\":\"{hash}\"}}\n", lines.len())
}

#[test]
fn an_altered_manifest_is_refused() {
    let store = store();
    let text = manifest(&store, &[]);
    let path = store.path().join("M");
    let refused = |text: &str, words: &str| {
        fs::write(&path, text).expect("writable");
        let output = go(&store, &["check", "--manifest", "M", "--update", "store"]);
        assert_eq!(status(&output), 2, "{words}");
        assert!(said(&output).contains(words), "{}", said(&output));
        assert_eq!(fs::read_to_string(&path).expect("readable"), text, "it is not replaced");
    };
    let lines: Vec<&str> = text.lines().collect();
    refused("", "the last line");
    refused(&text[..text.len() - 1], "the last line");
    refused(&text[..text.len() / 2], "");
    refused(&(lines[..5].join("\n") + "\n"), "the last line");
    refused(&text.replacen("\"bytes\":", "\"bytes\": ", 1), "altered");
    refused(&(lines[1..].join("\n") + "\n"), "altered");
    refused(&(text.clone() + "\n"), "after the last one");
    refused(
        &text.replacen("\"schema\":3", "\"schema\":4", 1),
        "version 4 of the entries is not known; a newer linkstream",
    );
    refused(
        &text.replacen("\"schema\":3", "\"schema\":2", 1),
        "version 2 of the entries is not known; an older linkstream",
    );
    let end = |schema: u32| format!("{{\"schema\":{schema},\"entries\":0,\"manifest_sha256\":\"\"}}\n");
    refused(&end(4), "line 1: version 4");
    refused(&text.replace('\n', "\r\n"), "in the ends of its lines; take another copy");
    // The message has one line number, the one in the manifest.
    refused(&text.replacen("\"bytes\":48", "\"bytes\":true", 1), "expected u64 at column ");
    refused("d41d8cd98f00b204e9800998ecf8427e  a/lat.10.lime\n", "as `linkstream manifest` writes it");
    refused("beta 5.7", "as `linkstream manifest` writes it");
    refused(&text[..40], "the last line");
    refused(&text.replacen("\"bytes\":48", "\"bytes\":NaN", 1), "line 3: ");
    refused(&("x".repeat((64 << 20) + 1) + "\n"), "bytes");
    refused(&format!("{}1{}\n", "[".repeat(100_000), "]".repeat(100_000)), "line 1");
    // Each byte counts.
    for at in (0..text.len() - 1).step_by(97) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("writable");
        assert_eq!(status(&go(&store, &["check", "--manifest", "M", "store"])), 2, "byte {at}");
    }
}

#[test]
fn names_never_lead_out_of_the_store() {
    let store = store();
    let text = manifest(&store, &[]);
    fs::write(store.path().join("secret"), b"secret").expect("writable");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let path = store.path().join("M");
    for name in ["../secret", "/etc/passwd", "a/../../secret", "a//b", "", ".", "./README", "a\\u0000b"] {
        let line = lines[0].replace("\"README\"", &format!("\"{name}\""));
        fs::write(&path, sealed(&[line])).expect("writable");
        let output = go(&store, &["check", "--manifest", "M", "--update", "store"]);
        assert_eq!(status(&output), 2, "{name}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(said(&output).contains("line 1: the name"), "{}", said(&output));
    }
    let twice = sealed(&[lines[0].clone(), lines[0].clone()]);
    fs::write(&path, twice).expect("writable");
    assert!(said(&go(&store, &["check", "--manifest", "M", "store"])).contains("README is there twice"));
    let disorder = sealed(&[lines[1].clone(), lines[0].clone()]);
    fs::write(&path, disorder).expect("writable");
    assert!(said(&go(&store, &["check", "--manifest", "M", "store"])).contains("not in the order"));
    // A name that is only printed cannot move the cursor.
    let line = lines[0].replace("\"README\"", "\"a\\u001b[2J\\n\\u202eb\"");
    let line = line.replace("\"sha256\":\"", "\"sha256\":\"00");
    fs::write(&path, sealed(&[line])).expect("writable");
    let output = go(&store, &["check", "--manifest", "M", "store"]);
    let shown = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(shown.contains("GONE") && !shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
    assert_eq!(status(&output), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_survive() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let store = store();
    let path = |name: &[u8]| store.path().join("store").join(OsStr::from_bytes(name));
    fs::write(path(b"l\xe4t.1\n"), b"one").expect("writable");
    fs::write(path(b"l\xe5t.1\n"), b"two").expect("writable");
    let text = manifest(&store, &[]);
    let hexadecimal: Vec<_> =
        entries(&text).iter().filter_map(|e| e["file_hex"].as_str().map(str::to_owned)).collect();
    assert_eq!(hexadecimal, ["6ce4742e310a", "6ce5742e310a"]);
    assert_eq!(changes(&store, &[]), (vec![], 0));
    fs::rename(path(b"l\xe4t.1\n"), path(b"l\xe6t.1\n")).expect("writable");
    let output = go(&store, &["check", "--json", "--manifest", "M", "store"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("\"file_hex\":\"6ce6742e310a\",\"change\":\"moved\""), "{text}");
    assert!(text.contains("\"from_hex\":\"6ce4742e310a\""), "{text}");
}
