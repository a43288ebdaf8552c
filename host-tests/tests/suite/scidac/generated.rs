//! Generates well-formed documents of the dialect: a root with a flat list of elements in any order, among comments,
//! processing instructions and unknown elements with any content. Values consist of text, references and CDATA.

/// A small generator of pseudorandom numbers (splitmix64): a seed determines a document.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`, uniform enough for tests.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (host_tests::formula::mix64(self.0) % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// A document and its expected values.
pub struct Generated {
    pub root: &'static str,
    pub text: String,
    pub values: Vec<(String, String)>,
}

/// Elements to be written in any order and form.
pub struct Draft {
    root: &'static str,
    elements: Vec<(String, Value)>,
    in_order: bool,
}

enum Value {
    Text(String),
    List(Vec<u32>),
}

impl Draft {
    pub fn new(root: &'static str) -> Self {
        Self { root, elements: Vec::new(), in_order: false }
    }

    pub fn text(&mut self, name: &str, value: &str) {
        self.elements.push((name.to_owned(), Value::Text(value.to_owned())));
    }

    pub fn list(&mut self, name: &str, values: &[u32]) {
        self.elements.push((name.to_owned(), Value::List(values.to_vec())));
    }

    /// Keeps the elements in the given order.
    pub fn in_order(mut self) -> Self {
        self.in_order = true;
        self
    }

    pub fn generate(mut self, random: &mut Random) -> Generated {
        if !self.in_order {
            // Shuffles the elements (Fisher and Yates).
            for n in (1..self.elements.len()).rev() {
                self.elements.swap(n, random.below(n + 1));
            }
        }
        let mut text = String::new();
        if random.one_in(4) {
            text.push('\u{feff}');
        }
        if !random.one_in(3) {
            text.push_str(random.pick(&[
                "<?xml version=\"1.0\"?>",
                "<?xml version='1.0' encoding='UTF-8'?>",
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
            ]));
        }
        filler(random, &mut text);
        text.push('<');
        text.push_str(self.root);
        attributes(random, &mut text);
        text.push('>');
        let mut values = Vec::new();
        for (name, value) in &self.elements {
            between(random, &mut text);
            values.push((name.clone(), element(random, &mut text, name, value)));
        }
        between(random, &mut text);
        text.push_str(&format!("</{}{}>", self.root, random.pick(&["", "", " ", "\n"])));
        filler(random, &mut text);
        Generated { root: self.root, text, values }
    }
}

/// White space, comments and processing instructions, which are allowed anywhere.
fn filler(random: &mut Random, text: &mut String) {
    for _ in 0..random.below(3) {
        let piece = random.pick(&[
            " ",
            "\n",
            "\t \n",
            "<!---->",
            "<!-- a comment -->",
            "<!-- <dims>9 9</dims> & > ]]> - -->",
            "<!-- <?pi?> ?> -->",
            "<?pi?>",
            "<?pi <dims> \" & ?? ?>",
            "<?pi x=\"-->\"?>",
        ]);
        text.push_str(piece);
    }
}

/// Writes content that is allowed between known elements.
fn between(random: &mut Random, text: &mut String) {
    filler(random, text);
    if random.one_in(3) {
        unknown(random, text, 0);
        filler(random, text);
    }
}

fn attributes(random: &mut Random, text: &mut String) {
    let all = [
        " a=\"1\"",
        " b='>'",
        " c = \"/>\"",
        "\n d=\"it's\"",
        "\te='&lt;\"'",
        " xmlns:q=\"urn:q\"",
        " f=\"\"",
    ];
    for attribute in all {
        if random.one_in(6) {
            text.push_str(attribute);
        }
    }
    text.push_str(random.pick(&["", "", " ", "\n"]));
}

/// An unknown element with any well-formed content, including elements that are known elsewhere.
fn unknown(random: &mut Random, text: &mut String, depth: usize) {
    let nested = ["dims", "lx", "typesize", "scidacFile", "a"];
    let name = match depth {
        0 => random.pick(&[
            "x",
            "dimsx",
            "Dims",
            "a.b-c",
            "an_element_with_quite_a_long_name_of_its_own",
            "\u{e4}",
        ]),
        _ => random.pick(&nested),
    };
    text.push_str(&format!("<{name}"));
    attributes(random, text);
    if random.one_in(4) {
        text.push_str("/>");
        return;
    }
    text.push('>');
    for _ in 0..random.below(4) {
        match random.below(5) {
            0 if depth < 3 => unknown(random, text, depth + 1),
            1 => text.push_str("<![CDATA[ </x> & ]] ]>]]>"),
            2 => text.push_str("&amp;&#65;"),
            3 => text.push_str("words > and ' marks\" "),
            _ => filler(random, text),
        }
    }
    text.push_str(&format!("</{name}{}>", random.pick(&["", " ", "\t"])));
}

/// Writes a known element. Returns its value.
fn element(random: &mut Random, text: &mut String, name: &str, value: &Value) -> String {
    let value = match value {
        Value::Text(value) => value.clone(),
        Value::List(values) => {
            let mut list = String::new();
            for value in values {
                if !list.is_empty() {
                    list.push_str(random.pick(&[" ", "  ", "\n", " \n", "\t", "\n\t "]));
                }
                list.push_str(&value.to_string());
            }
            list
        }
    };
    text.push_str(&format!("<{name}"));
    attributes(random, text);
    if value.is_empty() && random.one_in(2) {
        text.push_str("/>");
        return value;
    }
    text.push('>');
    filler(random, text);
    let last = value.chars().count().saturating_sub(1);
    let mut before = ' ';
    for (n, c) in value.chars().enumerate() {
        // White space at the ends is not part of the value, so that it is never written as a reference.
        if n > 0 && n < last && random.one_in(12) {
            text.push_str(random.pick(&["<!-- -->", "<?pi?>", "<!-- & -->"]));
            before = ' ';
        }
        piece(random, text, c, before);
        before = c;
    }
    filler(random, text);
    text.push_str(&format!("</{name}{}>", random.pick(&["", "", " ", "\n"])));
    value
}

/// Writes one character of a value in one of the forms that XML has.
fn piece(random: &mut Random, text: &mut String, c: char, before: char) {
    let way = random.below(12);
    let named = match c {
        '<' => Some("&lt;"),
        '&' => Some("&amp;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        _ => None,
    };
    match (way, named) {
        (0, _) => text.push_str(&format!("&#{};", u32::from(c))),
        (1, _) => text.push_str(&format!("&#x{:x};", u32::from(c))),
        (2, _) => text.push_str(&format!("&#x{:04X};", u32::from(c))),
        (3, _) => text.push_str(&format!("<![CDATA[{c}]]>")),
        (4, _) => text.push_str(&format!("<![CDATA[]]>{}", named.map_or(c.to_string(), str::to_owned))),
        (_, Some(name)) if c == '<' || c == '&' || before == ']' || way < 9 => text.push_str(name),
        _ => text.push(c),
    }
}
