//! Names of features: what the weights of a search's policy belong to.

/// Declares an enum of features and, as `NAMES`, the name of each in weights files.
macro_rules! feature_enum {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident {
        $($(#[$line:meta])+ $feature:ident = $name:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            $($(#[$line])+ $feature,)+
        }

        impl $enum {
            /// The name of each feature in weights files.
            $vis const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

pub(crate) use feature_enum;
