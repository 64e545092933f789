//! Names of features and of inputs: what the weights of policies and nets belong to.

/// Declares an enum of features, planes or globals and, as `NAMES`, the name of each.
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
            /// The name of each.
            $vis const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

pub(crate) use feature_enum;
