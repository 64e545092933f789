//! The clean-up of KGS: dead stones are captured before anybody passes.

use crate::client::Client;
use crate::common::setup;
use kawari::board::Color;

/// Walls with a dead stone of the other side behind each.
pub fn with_dead_stones(mut client: Client, stones: &str) -> Client {
    client.tell(&format!("gogui-setup {stones}"));
    client.tell("play b pass");
    client.tell("play w pass");
    client
}

/// Both sides clean up until both pass; returns their moves.
pub fn cleaned_up(client: &mut Client) -> Vec<String> {
    let (mut moves, mut passes) = (Vec::new(), 0);
    for color in ["w", "b"].into_iter().cycle() {
        let played = client.tell(&format!("kgs-genmove_cleanup {color}"));
        passes = if played == "pass" { passes + 1 } else { 0 };
        moves.push(format!("{color} {played}"));
        if passes == 2 || moves.len() == 60 {
            break;
        }
    }
    moves
}

/// Nothing is dead: after both have passed there is nothing to do, before that it is a move
/// like another.
#[test]
fn a_clean_board_is_passed() {
    let mut client = Client::new(setup("go 5"), 60);
    assert_ne!(client.tell("kgs-genmove_cleanup b"), "pass");
    let walls = "b B1 b B2 b B3 b B4 b B5 w C1 w C2 w C3 w C4 w C5";
    let mut client = with_dead_stones(Client::new(setup("go 4x5"), 60), walls);
    assert_eq!(cleaned_up(&mut client), ["w pass", "b pass"]);
}

/// The estimate and the search are one move on the clock.
#[test]
fn all_of_a_clean_up_is_on_the_clock() {
    let stones = "b B1 b B2 b B3 b B4 b B5 w C1 w C2 w C3 w C4 w C5 w A3 b D3";
    let mut client = with_dead_stones(Client::new(setup("go 4x5"), 60), stones);
    client.tell("time_settings 0 30 10");
    for color in [Color::White, Color::Black] {
        let command = format!("kgs-genmove_cleanup {}", color.name());
        client.tell(&command);
        let (time, stones) = client.session.clocks.get(color).remaining();
        assert_eq!(stones, 9, "{command}: one stone of the period is played");
        assert!(time < std::time::Duration::from_secs(30), "{command}: {time:?}");
    }
}
