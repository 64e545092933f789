//! The names of properties.

use super::write::Name;

macro_rules! names {
    ($($name:ident = $text:literal;)+) => {
        $(pub(super) const $name: Name = Name::known($text);)+
    };
}

names! {
    AB = "AB";
    AE = "AE";
    AP = "AP";
    AW = "AW";
    B = "B";
    CA = "CA";
    CR = "CR";
    FF = "FF";
    GM = "GM";
    HA = "HA";
    KM = "KM";
    LB = "LB";
    MA = "MA";
    N = "N";
    PL = "PL";
    RE = "RE";
    RU = "RU";
    SZ = "SZ";
    TR = "TR";
    W = "W";
    KAWARI = "KAWARI";
    BLOCK = "KBLOCK";
    GROW = "KGROW";
    RESIGN = "KRESIGN";
    RULE = "KRULE";
    TURN = "KTURN";
}
