//! The names of the properties that kawari writes.

use super::write::PropertyName;

macro_rules! property_names {
    ($($name:ident = $text:literal;)+) => {
        $(pub(super) const $name: PropertyName = PropertyName::from_static($text);)+
    };
}

property_names! {
    AB = "AB";
    AE = "AE";
    AP = "AP";
    AW = "AW";
    B = "B";
    CA = "CA";
    FF = "FF";
    GM = "GM";
    HA = "HA";
    KM = "KM";
    LB = "LB";
    N = "N";
    PL = "PL";
    RE = "RE";
    RU = "RU";
    SZ = "SZ";
    TR = "TR";
    W = "W";
    KAWARI = "KAWARI";
    BLOCK = "KBLOCK";
    BEGUN = "KBEGUN";
    RULE = "KRULE";
    TURN = "KTURN";
}
