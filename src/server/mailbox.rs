//! The mailboxes of games with a friend: a server that other machines reach keeps the newest link of
//! each such game, and gives it to both browsers at once.
//!
//! A holder of the server's token opens a mailbox under a key; a client with only the key is a guest,
//! which reads and posts there and nowhere else. The key comes in the first message of a WebSocket, so that no
//! request line and no log has it.
//!
//! ```text
//! → {"key":"0123456789abcdef0123456789abcdef","side":"white"}
//! ← {"newest":{"id":…,"entries":["C3"]},"here":["black","white"]}
//! → {"post":{"game":{"id":…,"entries":["C3","D4"]},"follows":1}}
//! ← {"newest":{"id":…,"entries":["C3","D4"]},"here":["black","white"]}
//! ```

use crate::board::Color;
use crate::json;
use crate::rules::parse_color;
use crate::web::by_link::{are_of_one_game, replayed};
use crate::web::request::LinkedGame;
use axum::extract::ws::{Message, WebSocket};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval, sleep, timeout};

/// Maximum number of mailboxes.
const MAX_MAILBOXES: usize = 200;

/// Maximum bytes of a message: a game with 3000 entries.
pub const MAX_POST: usize = 512 << 10;

/// A mailbox without a reader goes after this time without a post.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Maximum number of guests with one key, and of all guests. Each has a board and a reader of the
/// mailbox.
const MAX_WITH_KEY: usize = 8;
const MAX_GUESTS: usize = 50;

/// Time for the first message.
const FIRST: Duration = Duration::from_secs(10);

/// Pause after a refusal, so that nobody tries many keys or posts.
const PAUSE: Duration = Duration::from_millis(300);

/// Time between two pings, by which a lost connection is noticed.
const PING_INTERVAL: Duration = Duration::from_secs(10);

const UNKNOWN: &str = "this server does not have the game: your friend has to open it first";
const NO_MESSAGE: &str = "not a message of a mailbox";
const OTHER_GAME: &str = "this mailbox has another game";
const OLD: &str = "the game has continued since";
const TOO_MANY: &str = "too many games with a friend are open on this server";

/// The secret of a mailbox, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Key(u128);

impl TryFrom<String> for Key {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Key, &'static str> {
        let is_key = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(&text, 16).ok().filter(|_| is_key);
        number.map(Key).ok_or("a key has 32 hexadecimal digits")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// The first message of a connection.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    pub key: Key,
    /// The side of the person; `None` if the person only looks.
    #[serde(default, deserialize_with = "side")]
    side: Option<Color>,
}

fn side<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Color>, D::Error> {
    let word = Option::<String>::deserialize(from)?;
    let color = word.map(|word| parse_color(&word).ok_or_else(|| Error::custom(NO_MESSAGE)));
    color.transpose()
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    #[serde(deserialize_with = "side")]
    Side(Option<Color>),
    Post(Box<Post>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Post {
    game: LinkedGame,
    /// The number of entries of the link that this one follows; `None` without one.
    follows: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Reply<'r> {
    /// `None` if it has not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest: Option<Option<&'r LinkedGame>>,
    here: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'r str>,
}

/// The state for all readers of a mailbox.
#[derive(Clone, Debug)]
struct News {
    newest: Arc<LinkedGame>,
    is_over: bool,
    /// Connections of Black and of White.
    here: [usize; 2],
    posted: Instant,
}

impl News {
    /// Refuses a link that does not follow the newest one.
    fn check(&self, post: &Post) -> Result<(), String> {
        let newest = &self.newest;
        if !are_of_one_game(newest, &post.game) {
            return Err(OTHER_GAME.to_owned());
        }
        let is_next = if post.game.id == newest.id {
            post.game.entries.starts_with(&newest.entries)
        } else {
            self.is_over
        };
        if is_next && post.follows == Some(newest.entries.len()) {
            Ok(())
        } else {
            Err(OLD.to_owned())
        }
    }
}

#[derive(Debug)]
pub struct Mailbox {
    news: watch::Sender<News>,
    boards: Arc<Semaphore>,
    readers: Arc<Semaphore>,
}

impl Mailbox {
    fn new(newest: LinkedGame, is_over: bool) -> Mailbox {
        let news = News { newest: Arc::new(newest), is_over, here: [0; 2], posted: Instant::now() };
        let places = || Arc::new(Semaphore::new(MAX_WITH_KEY));
        Mailbox { news: watch::Sender::new(news), boards: places(), readers: places() }
    }

    pub fn newest(&self) -> Arc<LinkedGame> {
        self.news.borrow().newest.clone()
    }

    async fn post(&self, post: Post) -> Result<(), String> {
        self.news.borrow().check(&post)?;
        let (post, is_over) = replay(post).await?;
        let mut outcome = Ok(());
        self.news.send_if_modified(|news| {
            outcome = news.check(&post);
            if outcome.is_ok() {
                (news.newest, news.is_over) = (Arc::new(post.game), is_over);
                news.posted = Instant::now();
            }
            outcome.is_ok()
        });
        outcome
    }
}

/// A post whose game follows the rules, and whether that game is over.
async fn replay(post: Post) -> Result<(Post, bool), String> {
    let replayed = spawn_blocking(move || {
        let (started, standing) = replayed(&post.game).map_err(|error| error.0)?;
        let is_over = standing.is_over(started.cursor.game());
        Ok((post, is_over))
    });
    replayed.await.unwrap_or_else(|_| Err(OTHER_GAME.to_owned()))
}

/// The mailboxes of a server.
#[derive(Debug)]
pub struct Mailboxes {
    all: Mutex<HashMap<Key, Arc<Mailbox>>>,
    boards: Arc<Semaphore>,
    readers: Arc<Semaphore>,
}

/// The places of a guest, with its key and among all.
pub type Places = [OwnedSemaphorePermit; 2];

fn places(all: &Arc<Semaphore>, with_key: &Arc<Semaphore>) -> Option<Places> {
    let all = all.clone().try_acquire_owned().ok()?;
    Some([all, with_key.clone().try_acquire_owned().ok()?])
}

impl Mailboxes {
    pub fn new() -> Mailboxes {
        let places = || Arc::new(Semaphore::new(MAX_GUESTS));
        Mailboxes { all: Mutex::default(), boards: places(), readers: places() }
    }

    pub fn get(&self, key: Key) -> Option<Arc<Mailbox>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// A place for the board of a guest; `None` if all are taken.
    pub fn board(&self, mailbox: &Mailbox) -> Option<Places> {
        places(&self.boards, &mailbox.boards)
    }

    /// Opens a mailbox with its first link.
    async fn open(&self, key: Key, post: Post) -> Result<Arc<Mailbox>, String> {
        let (post, is_over) = replay(post).await?;
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, mailbox| {
            mailbox.news.receiver_count() > 0 || mailbox.news.borrow().posted.elapsed() < MAX_AGE
        });
        if all.len() >= MAX_MAILBOXES {
            let unread = all.iter().filter(|(_, mailbox)| mailbox.news.receiver_count() == 0);
            let oldest = unread.min_by_key(|(_, mailbox)| mailbox.news.borrow().posted);
            let oldest = oldest.map(|(&key, _)| key).ok_or(TOO_MANY)?;
            all.remove(&oldest);
        }
        let mailbox = all.entry(key).or_insert_with(|| Arc::new(Mailbox::new(post.game, is_over)));
        Ok(mailbox.clone())
    }
}

/// Reads the first message; `None` if it is not a greeting.
pub async fn greeting(socket: &mut WebSocket) -> Option<Greeting> {
    let first = timeout(FIRST, socket.recv()).await.ok()??.ok()?;
    serde_json::from_str(first.to_text().ok()?).ok()
}

/// A person at one side of a mailbox, as its readers see; dropping it takes the person away.
struct Seat {
    mailbox: Arc<Mailbox>,
    side: Option<Color>,
}

impl Seat {
    fn new(mailbox: Arc<Mailbox>, side: Option<Color>) -> Seat {
        let seat = Seat { mailbox, side };
        seat.count(|count| count + 1);
        seat
    }

    fn count(&self, change: impl Fn(usize) -> usize) {
        if let Some(side) = self.side {
            self.mailbox.news.send_modify(|news| {
                let [black, white] = &mut news.here;
                let count = if side == Color::Black { black } else { white };
                *count = change(*count);
            });
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.count(|count| count.saturating_sub(1));
    }
}

/// The connection has ended.
struct Gone;

/// A connection to a mailbox.
struct Reader<'m> {
    socket: WebSocket,
    mailboxes: &'m Mailboxes,
    key: Key,
    seat: Option<Seat>,
    /// The state that the browser knows.
    shown: Option<Arc<LinkedGame>>,
}

/// Serves a mailbox to a browser until it leaves. Only the holder of the server's token opens one.
pub async fn serve(mut socket: WebSocket, mailboxes: &Mailboxes, is_holder: bool) {
    let Some(Greeting { key, side }) = greeting(&mut socket).await else {
        return;
    };
    let mailbox = mailboxes.get(key);
    let places = mailbox.as_ref().and_then(|found| places(&mailboxes.readers, &found.readers));
    let mut reader = Reader { socket, mailboxes, key, seat: None, shown: None };
    if !is_holder && places.is_none() {
        let why = if mailbox.is_none() { UNKNOWN } else { TOO_MANY };
        let _ = reader.refuse(why).await;
        return;
    }
    // Holders take no place of a guest.
    let _places = places.filter(|_| !is_holder);
    reader.seat = mailbox.map(|mailbox| Seat::new(mailbox, side));
    let (Ok(()) | Err(Gone)) = reader.run(side).await;
}

impl Reader<'_> {
    async fn run(mut self, mut side: Option<Color>) -> Result<(), Gone> {
        let mut pings = interval(PING_INTERVAL);
        let mut news = self.seat.as_ref().map(|seat| seat.mailbox.news.subscribe());
        self.show(None).await?;
        let mut answered = true;
        loop {
            let changed = async {
                match &mut news {
                    Some(news) => news.changed().await.map_err(|_| Gone),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = changed => {
                    changed?;
                    self.show(None).await?;
                }
                _ = pings.tick() => {
                    if !std::mem::take(&mut answered) {
                        return Err(Gone);
                    }
                    self.send(Message::Ping(Vec::new().into())).await?;
                }
                message = self.socket.recv() => {
                    let Some(Ok(message)) = message else { return Err(Gone) };
                    answered = true;
                    let Message::Text(text) = message else { continue };
                    self.take(text.as_str(), &mut side).await?;
                    if news.is_none() {
                        news = self.seat.as_ref().map(|seat| seat.mailbox.news.subscribe());
                    }
                }
            }
        }
    }

    async fn take(&mut self, text: &str, side: &mut Option<Color>) -> Result<(), Gone> {
        let done = match serde_json::from_str(text) {
            Err(_) => Err(NO_MESSAGE.to_owned()),
            Ok(Request::Side(now)) => {
                *side = now;
                // The old seat is left first.
                if let Some(seat) = self.seat.take() {
                    let mailbox = seat.mailbox.clone();
                    drop(seat);
                    self.seat = Some(Seat::new(mailbox, now));
                }
                Ok(())
            }
            Ok(Request::Post(post)) => self.post(*post, *side).await,
        };
        match done {
            Ok(()) => self.show(None).await,
            Err(why) => self.refuse(&why).await,
        }
    }

    async fn post(&mut self, post: Post, side: Option<Color>) -> Result<(), String> {
        if let Some(seat) = &self.seat {
            return seat.mailbox.post(post).await;
        }
        let mailbox = self.mailboxes.open(self.key, post).await?;
        self.seat = Some(Seat::new(mailbox, side));
        Ok(())
    }

    async fn refuse(&mut self, why: &str) -> Result<(), Gone> {
        sleep(PAUSE).await;
        self.shown = None;
        self.show(Some(why)).await
    }

    /// Sends the changes, and a refusal.
    async fn show(&mut self, refused: Option<&str>) -> Result<(), Gone> {
        let news = self.seat.as_ref().map(|seat| seat.mailbox.news.borrow().clone());
        let newest = news.as_ref().map(|news| &news.newest);
        let is_shown = self.shown.as_ref().zip(newest).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        let here = news.as_ref().map_or([0; 2], |news| news.here);
        let here = Color::BOTH.into_iter().zip(here).filter(|(_, count)| *count > 0);
        let reply = Reply {
            newest: (!is_shown).then_some(newest.map(|newest| &**newest)),
            here: here.map(|(color, _)| color.name()).collect(),
            refused,
        };
        let text = json::text(&reply);
        self.shown = newest.cloned();
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        let sent = timeout(2 * PING_INTERVAL, self.socket.send(message)).await;
        sent.map_err(|_| Gone)?.map_err(|_| Gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn post(entries: &[&str], follows: Option<usize>, changed: &Value) -> Post {
        let start = json!({ "variant": "go", "width": 5, "height": 5 });
        let mut game = json!({
            "id": "one", "start": start, "black": "Ann", "white": "", "from": "black",
            "entries": entries,
        });
        for (name, value) in changed.as_object().into_iter().flatten() {
            game[name] = value.clone();
        }
        Post { game: serde_json::from_value(game).expect("a game"), follows }
    }

    fn key(number: u128) -> Key {
        Key::try_from(format!("{number:032x}")).expect("a key")
    }

    #[tokio::test]
    async fn a_link_follows_the_newest_one_by_the_rules() {
        let mailboxes = Mailboxes::new();
        let none = json!({});
        let mailbox = mailboxes.open(key(1), post(&["C3"], None, &none)).await.expect("opened");
        mailbox.post(post(&["C3", "D3"], Some(1), &none)).await.expect("it follows");
        for (refused, why) in [
            (post(&["C3", "D3", "D4"], Some(1), &none), OLD),
            (post(&["C3", "D3", "D4"], None, &none), OLD),
            (post(&["C3", "B3", "D4"], Some(2), &none), OLD),
            (post(&["C3"], Some(2), &none), OLD),
            (post(&["C3", "D3", "D3"], Some(2), &none), "entry 3 of the game, D3, is not allowed"),
            (post(&["C3", "D3"], Some(2), &json!({ "id": "two" })), OTHER_GAME),
            // The game is not over.
            (post(&[], Some(2), &json!({ "id": "one+" })), OLD),
            (post(&["C3", "D3"], Some(2), &json!({ "start": { "variant": "tao" } })), OTHER_GAME),
        ] {
            let error = mailbox.post(refused).await.expect_err("refused");
            assert!(error.starts_with(why), "{error} instead of {why}");
            assert_eq!(mailbox.newest().entries, ["C3", "D3"]);
        }
        mailbox.post(post(&["C3", "D3", "black resigns"], Some(2), &none)).await.expect("its end");
        let rematch = json!({ "id": "one+" });
        mailbox.post(post(&[], Some(3), &rematch)).await.expect("a rematch");
        mailbox.post(post(&["A1"], Some(0), &rematch)).await.expect("its first move");
    }

    #[tokio::test]
    async fn mailboxes_and_guests_have_limits() {
        let mailboxes = Mailboxes::new();
        let none = json!({});
        let first = mailboxes.open(key(0), post(&[], None, &none)).await.expect("opened");
        let reader = first.news.subscribe();
        for number in 1..=MAX_MAILBOXES as u128 {
            mailboxes.open(key(number), post(&[], None, &none)).await.expect("opened");
        }
        // The oldest that nobody reads has gone.
        assert!(mailboxes.get(key(0)).is_some() && mailboxes.get(key(1)).is_none());
        assert_eq!(mailboxes.all.lock().expect("no panic").len(), MAX_MAILBOXES);
        drop(reader);
        let boards: Vec<_> = (0..MAX_WITH_KEY).filter_map(|_| mailboxes.board(&first)).collect();
        assert_eq!(boards.len(), MAX_WITH_KEY);
        assert!(mailboxes.board(&first).is_none());
        let mut others = 0;
        for number in 2..20 {
            let mailbox = mailboxes.get(key(number)).expect("opened");
            let places: Vec<_> = (0..4).filter_map(|_| mailboxes.board(&mailbox)).collect();
            others += places.len();
            places.into_iter().for_each(std::mem::forget);
        }
        assert_eq!(boards.len() + others, MAX_GUESTS);
    }

    #[test]
    fn greetings_and_requests_are_parsed() {
        let key = "0123456789abcdef0123456789abcdef";
        let greeting = |side: Value| {
            let text = json!({ "key": key, "side": side }).to_string();
            serde_json::from_str::<Greeting>(&text).map(|greeting| greeting.side).ok()
        };
        assert_eq!(greeting(json!("white")), Some(Some(Color::White)));
        assert_eq!(greeting(Value::Null), Some(None));
        assert_eq!(greeting(json!("red")), None);
        assert!(matches!(serde_json::from_str(r#"{"side":"black"}"#), Ok(Request::Side(Some(_)))));
        assert!(matches!(serde_json::from_str(r#"{"side":null}"#), Ok(Request::Side(None))));
        assert!(serde_json::from_str::<Request>(r#"{"side":"red"}"#).is_err());
    }

    #[test]
    fn a_key_has_128_bits_and_is_never_shown() {
        assert!(Key::try_from("0".repeat(31)).is_err() && Key::try_from("g".repeat(32)).is_err());
        assert!(Key::try_from(format!("+{}", "1".repeat(31))).is_err());
        assert_eq!(format!("{:?}", key(7)), "Key");
    }
}
