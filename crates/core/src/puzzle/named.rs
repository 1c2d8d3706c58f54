//! Enums that users name: their names are written down once.

/// A text that is none of the names of something.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{text}' is not {what}; {choice}", choice = choice(.names))]
pub struct UnknownName {
    /// What was read.
    pub text: String,
    /// What it should have been, with its article.
    pub what: &'static str,
    /// The names that there are, some with what they mean in brackets.
    pub names: &'static [&'static str],
}

fn choice(names: &[&str]) -> String {
    match names {
        [one, other] => format!("write {one} or {other}"),
        _ => format!("choose one of {}", names.join(", ")),
    }
}

/// Gives an enum `ALL`, `name`, `Display` and `FromStr` from one list of names, each of which may
/// have an explanation for those who write another one.
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($variant:ident $name:literal $($about:literal)?),+ $(,)?) => {
        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// As a user names it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::puzzle::UnknownName;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                let named = $type::ALL.into_iter().find(|it| it.name() == text);
                named.ok_or_else(|| $crate::puzzle::UnknownName {
                    text: text.to_owned(),
                    what: $what,
                    names: &[$(concat!($name $(, " (", $about, ")")?)),+],
                })
            }
        }
    };
}

pub use named;
