//! Every public type and function of the codec has an example, every constructor is called in one, and no example
//! unwraps. Methods are described by their documentation and, where they are not evident, by an example; no test can
//! decide that.
//!
//! `cargo test --doc` verifies that the examples compile and run. This test parses the source, because rustdoc provides
//! a machine-readable list of items only with a nightly toolchain.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, Expr, Ident, ImplItem, ImplItemFn, Item, Lit, Meta, Token, TraitItem, Type, UseName,
    UseRename, UseTree, Visibility,
};

/// An item declared `pub`, or a constructor of one.
struct Documented {
    file: PathBuf,
    /// The name of the item; for a constructor, the name of its type.
    item: String,
    name: String,
    docs: String,
}

#[derive(Default)]
struct Source {
    /// Structs, enums, traits and functions declared `pub`, whether or not they are reachable.
    items: Vec<Documented>,
    /// Constructors: functions without `self` of a type, declared `pub`.
    constructors: Vec<Documented>,
    /// Module and name of each item that a `pub use` re-exports.
    exported: BTreeSet<(String, String)>,
    /// Files of modules declared `pub mod`.
    open: BTreeSet<PathBuf>,
    /// The code of all examples.
    examples: String,
}

impl Source {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/src");
        let mut source = Self::default();
        for file in rust_files(&root) {
            let text = std::fs::read_to_string(&file).expect("readable");
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            source.examples.push_str(&code(&docs(&parsed.attrs)));
            for item in parsed.items {
                source.item(&file, item);
            }
        }
        for page in ["../codec/src/async.md", "../codec/src/guide/asynchronous.md", "../codec/README.md"] {
            let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page));
            source.examples.push_str(&code(&text.expect("readable")));
        }
        source
    }

    fn item(&mut self, file: &Path, item: Item) {
        match item {
            Item::Struct(item) => self.add(file, &item.vis, &item.ident, &item.attrs),
            Item::Enum(item) => self.add(file, &item.vis, &item.ident, &item.attrs),
            Item::Fn(item) => self.add(file, &item.vis, &item.sig.ident, &item.attrs),
            Item::Trait(item) => {
                self.add(file, &item.vis, &item.ident, &item.attrs);
                for inner in item.items {
                    if let TraitItem::Fn(method) = inner {
                        self.examples.push_str(&code(&docs(&method.attrs)));
                    }
                }
            }
            Item::Impl(item) => {
                self.examples.push_str(&code(&docs(&item.attrs)));
                let Type::Path(owner) = &*item.self_ty else { return };
                let owner = owner.path.segments.last().expect("a name").ident.clone();
                for inner in item.items {
                    if let ImplItem::Fn(method) = inner {
                        self.method(file, &owner, &method);
                    }
                }
            }
            Item::Macro(item) => {
                let name = item.mac.path.segments.last().map(|segment| segment.ident.to_string());
                if matches!(name.as_deref(), Some("rules" | "messages")) {
                    let declared =
                        declared_enum.parse2(item.mac.tokens).expect("attributes, `pub enum`, name");
                    let (attributes, visibility, name) = declared;
                    self.add(file, &visibility, &name, &attributes);
                } else if name.as_deref() == Some("both") {
                    let items = first_of_both(item.mac.tokens);
                    for item in syn::parse2::<syn::File>(items).expect("impl blocks").items {
                        self.item(file, item);
                    }
                }
            }
            Item::Mod(item) => {
                let is_test = item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
                self.examples.push_str(&code(&docs(&item.attrs)));
                match item.content {
                    Some((_, items)) if !is_test => items.into_iter().for_each(|item| self.item(file, item)),
                    None if is_public(&item.vis) => {
                        let folder = file.parent().expect("in a directory");
                        self.open.insert(folder.join(format!("{}.rs", item.ident)));
                        self.open.insert(folder.join(item.ident.to_string()).join("mod.rs"));
                    }
                    _ => {}
                }
            }
            Item::Use(item) if is_public(&item.vis) => leaves("", &item.tree, &mut self.exported),
            _ => {}
        }
    }

    fn add(&mut self, file: &Path, visibility: &Visibility, name: &Ident, attributes: &[Attribute]) {
        let docs = docs(attributes);
        self.examples.push_str(&code(&docs));
        if is_public(visibility) {
            let item = name.to_string();
            self.items.push(Documented { file: file.to_owned(), name: item.clone(), item, docs });
        }
    }

    fn method(&mut self, file: &Path, item: &Ident, method: &ImplItemFn) {
        let docs = docs(&method.attrs);
        self.examples.push_str(&code(&docs));
        if is_public(&method.vis) && method.sig.receiver().is_none() {
            let (item, name) = (item.to_string(), method.sig.ident.to_string());
            self.constructors.push(Documented { file: file.to_owned(), item, name, docs });
        }
    }

    /// True if the type of the constructor is exported. Its constructors can be in several files.
    fn is_type_reachable(&self, method: &Documented) -> bool {
        self.is_reachable(method) || self.exported.iter().any(|(_, name)| *name == method.item)
    }

    fn is_reachable(&self, item: &Documented) -> bool {
        let is_module = item.file.file_stem() == Some(OsStr::new("mod"));
        let module = if is_module { item.file.parent() } else { Some(&*item.file) };
        let module = module.and_then(Path::file_stem).expect("a name").to_string_lossy();
        self.open.contains(&item.file) || self.exported.contains(&(module.into_owned(), item.item.clone()))
    }
}

/// The `impl` blocks in `both!` with the first names of their functions, and generic parameters in `<>`.
fn first_of_both(tokens: TokenStream) -> TokenStream {
    let (mut made, mut tokens) = (TokenStream::new(), tokens.into_iter().peekable());
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inner = first_of_both(group.stream());
                made.extend([TokenTree::Group(Group::new(Delimiter::Brace, inner))]);
            }
            TokenTree::Ident(word) if word == "fn" => {
                let Some(TokenTree::Ident(name)) = tokens.next() else { panic!("`fn` has a name") };
                made.extend([TokenTree::Ident(word), TokenTree::Ident(name)]);
                if tokens.next_if(|token| token.to_string() == "|").is_some() {
                    tokens.next();
                }
                if matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket)
                    && let Some(TokenTree::Group(generic)) = tokens.next()
                {
                    made.extend([TokenTree::from(Punct::new('<', Spacing::Alone))]);
                    made.extend(generic.stream());
                    made.extend([TokenTree::from(Punct::new('>', Spacing::Alone))]);
                }
            }
            token => made.extend([token]),
        }
    }
    made
}

/// Parses the beginning of the enum that `rules!` or `messages!` declares.
fn declared_enum(input: ParseStream<'_>) -> syn::Result<(Vec<Attribute>, Visibility, Ident)> {
    let head = (input.call(Attribute::parse_outer)?, input.parse()?);
    input.parse::<Option<Token![const]>>()?;
    input.parse::<Token![enum]>()?;
    let name = input.parse()?;
    input.parse::<TokenStream>()?;
    Ok((head.0, head.1, name))
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Collects the names in a `use`, each with its module.
fn leaves(module: &str, tree: &UseTree, names: &mut BTreeSet<(String, String)>) {
    match tree {
        UseTree::Path(path) => leaves(&path.ident.to_string(), &path.tree, names),
        UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. }) => {
            names.insert((module.to_owned(), ident.to_string()));
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(module, tree, names)),
        _ => panic!("a glob hides which names are public"),
    }
}

fn docs(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value() + "\n"),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

/// The code of the Rust examples in documentation.
fn code(docs: &str) -> String {
    let (mut code, mut fence) = (String::new(), None);
    for line in docs.lines().map(str::trim_start) {
        match (line.strip_prefix("```"), fence) {
            (Some(language), None) => {
                fence = Some(
                    ["", "rust", "no_run"].iter().any(|rust| language == *rust || language == "rust,no_run"),
                );
            }
            (Some(_), Some(_)) => fence = None,
            (None, Some(true)) => code = code + line + "\n",
            _ => {}
        }
    }
    code
}

pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    // Pages of the guide include pieces of programs.
    if folder.ends_with("guide") {
        return Vec::new();
    }
    let entries =
        std::fs::read_dir(folder).expect("a readable directory").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

/// True if the examples call a function of this name.
fn calls(examples: &str, name: &str) -> bool {
    examples.match_indices(name).any(|(at, _)| {
        let before = examples[..at].chars().next_back();
        let after = &examples[at + name.len()..];
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
            && (after.starts_with('(') || after.starts_with("::<"))
    })
}

fn list<'a>(items: impl Iterator<Item = &'a Documented>) -> Vec<String> {
    items.map(|item| format!("{} of {}", item.name, item.file.display())).collect()
}

#[test]
fn every_public_type_and_function_has_an_example() {
    let source = Source::read();
    let public: Vec<_> = source.items.iter().filter(|item| source.is_reachable(item)).collect();
    assert!(public.len() > 150, "{}", public.len());
    let missing = list(public.into_iter().filter(|item| code(&item.docs).is_empty()));
    assert!(missing.is_empty(), "items without an example: {missing:#?}");
}

#[test]
fn every_constructor_is_called_in_an_example() {
    let source = Source::read();
    let public = source.constructors.iter().filter(|function| source.is_type_reachable(function));
    let missing = list(public.filter(|function| !calls(&source.examples, &function.name)));
    assert!(source.constructors.len() > 120, "{}", source.constructors.len());
    assert!(missing.is_empty(), "constructors that no example calls: {missing:#?}");
}

#[test]
fn no_example_unwraps() {
    let source = Source::read();
    let unwraps =
        |line: &&str| [".unwrap()", ".unwrap_err()", ".expect("].iter().any(|call| line.contains(call));
    let found: Vec<_> = source.examples.lines().filter(unwraps).collect();
    assert!(found.is_empty(), "{found:#?}");
}
