//! The HTTP server: files of the page, and the WebSocket of each tab.

mod access;
mod connections;
mod mailbox;
mod socket;
mod tab_thread;

use crate::web::assets::{Asset, asset};
use crate::web::request::{LinkedGame, MAX_MESSAGE};
use access::{Access, GUEST_PAGE};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocket;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use connections::{Addresses, WriteTimeout};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use mailbox::{MAX_POST, Mailboxes};
pub use socket::IDLE_PING_INTERVAL;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
pub use tab_thread::TabSettings;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Maximum number of tabs.
pub const MAX_TABS: usize = 100;

/// Maximum number of connections; others wait.
const MAX_CONNECTIONS: usize = 400;

/// Maximum number of connections of one address.
const MAX_OF_ADDRESS: usize = MAX_CONNECTIONS / 2;

/// Maximum number of games of friends that are replayed at once.
const MAX_REPLAYS: usize = 2;

/// Maximum time for which a client reads nothing of a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Pause when the system has no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The page loads only files of this server, and no other page embeds it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; \
    object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// A listening server.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    shared: Shared,
}

#[derive(Debug)]
struct Shared {
    access: Access,
    tabs: TabSettings,
    /// A permit for each further tab.
    free_tabs: Arc<Semaphore>,
    mailboxes: Mailboxes,
}

fn bind_error(address: SocketAddr, error: io::Error) -> io::Error {
    let text = match error.kind() {
        io::ErrorKind::AddrInUse => format!(
            "{address} is in use, perhaps by another board: open it in the browser, or choose \
             another port with --port"
        ),
        io::ErrorKind::PermissionDenied => {
            format!(
                "{address}: no permission to listen there; choose a port above 1023 with --port"
            )
        }
        _ => format!("cannot listen on {address}: {error}"),
    };
    io::Error::new(error.kind(), text)
}

impl Server {
    /// Listens on an address; port 0 is any free port.
    pub fn bind(address: SocketAddr, tabs: TabSettings) -> io::Result<Server> {
        let listen = || -> io::Result<Server> {
            let listener = std::net::TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let access = Access::new(listener.local_addr()?).map_err(io::Error::other)?;
            let free_tabs = Arc::new(Semaphore::new(MAX_TABS));
            let mailboxes = Mailboxes::new();
            Ok(Server { listener, shared: Shared { access, tabs, free_tabs, mailboxes } })
        };
        listen().map_err(|error| bind_error(address, error))
    }

    pub fn urls_for_others(&self) -> Vec<String> {
        self.shared.access.urls_for_others()
    }

    pub fn url(&self) -> String {
        self.shared.access.url()
    }

    /// Serves until the process ends. Fails if the system gives no threads or takes the listener
    /// away.
    pub fn run(self) -> io::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_io().enable_time();
        runtime.thread_stack_size(tab_thread::STACK_BYTES).max_blocking_threads(MAX_REPLAYS);
        runtime.build()?.block_on(self.serve())
    }

    async fn serve(self) -> io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let router = router(self.shared);
        let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let addresses = Addresses::new(MAX_OF_ADDRESS);
        loop {
            let Ok(permit) = free.clone().acquire_owned().await else {
                return Ok(());
            };
            let Ok((stream, peer)) = listener.accept().await else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let Some(place) = addresses.take(peer.ip()) else {
                log::debug!("{peer} has too many connections");
                continue;
            };
            let connection = serve_connection(stream, router.clone());
            tokio::spawn(async move {
                connection.await;
                drop((place, permit));
            });
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router) {
    // Messages are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, WRITE_TIMEOUT)), service)
        .with_upgrades();
    if let Err(error) = connection.await {
        log::debug!("connection: {error}");
    }
}

fn router(shared: Shared) -> Router {
    let shared = Arc::new(shared);
    Router::new()
        .route("/socket", any(open_socket))
        .route("/friend/socket", any(open_guest_socket))
        .route("/mailbox", any(open_mailbox))
        .fallback(get(file))
        .layer(from_fn_with_state(shared.clone(), check))
        .with_state(shared)
}

/// Checks the client, and adds the headers of every response.
async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let allowed = {
        let values = |name| -> Vec<&[u8]> {
            request.headers().get_all(name).iter().map(HeaderValue::as_bytes).collect()
        };
        shared.access.check_headers(&values(header::HOST), &values(header::ORIGIN))
    };
    let mut response = match allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn refuse(refusal: &str) -> Response {
    (StatusCode::FORBIDDEN, format!("{refusal}\n")).into_response()
}

async fn file(State(shared): State<Arc<Shared>>, headers: HeaderMap, uri: Uri) -> Response {
    let is_for_guests = uri.path() == GUEST_PAGE && shared.access.invitations().is_some();
    let Some(asset) = asset(if is_for_guests { "/" } else { uri.path() }) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    if asset.path == "/"
        && !is_for_guests
        && let Err(refusal) = shared.access.check_token(uri.query())
    {
        return refuse(refusal);
    }
    let tags = header_text(&headers, header::IF_NONE_MATCH);
    let (status, body) = if tags.is_some_and(|tags| tags.contains(&asset.tag())) {
        (StatusCode::NOT_MODIFIED, Body::empty())
    } else {
        (StatusCode::OK, Body::from(asset.bytes()))
    };
    (status, file_headers(asset), body).into_response()
}

fn file_headers(asset: &Asset) -> [(HeaderName, String); 3] {
    [
        (header::CONTENT_TYPE, asset.content_type().to_owned()),
        (header::ETAG, asset.tag()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ]
}

type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

async fn open_socket(State(shared): State<Arc<Shared>>, uri: Uri, upgrade: Upgrade) -> Response {
    if let Err(refusal) = shared.access.check_token(uri.query()) {
        return refuse(refusal);
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(permit) = shared.free_tabs.clone().try_acquire_owned() else {
        let full = format!("{MAX_TABS} boards are open, which is the maximum: close one\n");
        return (StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(async move |socket| {
        serve_tab(socket, &shared, None).await;
        drop(permit);
    })
}

async fn serve_tab(socket: WebSocket, shared: &Shared, guest_of: Option<LinkedGame>) {
    match tab_thread::start(&shared.tabs, shared.access.invitations(), guest_of) {
        Ok(tab) => socket::serve(socket, tab, shared.tabs.idle).await,
        Err(error) => log::error!("no threads for a board: {error}"),
    }
}

/// The board of a friend, whose first message has the key of the game.
async fn open_guest_socket(State(shared): State<Arc<Shared>>, upgrade: Upgrade) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.max_message_size(MAX_POST).max_frame_size(MAX_POST),
        Err(rejection) => return rejection.into_response(),
    };
    upgrade.on_upgrade(async move |mut socket| {
        let greeting = mailbox::greeting(&mut socket).await;
        let mailbox = greeting.and_then(|greeting| shared.mailboxes.get(greeting.key));
        let places = mailbox.as_deref().and_then(|mailbox| shared.mailboxes.board(mailbox));
        if let Some((mailbox, _places)) = mailbox.zip(places) {
            let game = LinkedGame::clone(&mailbox.newest());
            serve_tab(socket, &shared, Some(game)).await;
        }
    })
}

/// A mailbox, which only holders of the token open.
async fn open_mailbox(State(shared): State<Arc<Shared>>, uri: Uri, upgrade: Upgrade) -> Response {
    if shared.access.invitations().is_none() {
        return (StatusCode::NOT_FOUND, "only this machine reaches the server\n").into_response();
    }
    let is_holder = shared.access.check_token(uri.query()).is_ok();
    match upgrade {
        Ok(upgrade) => {
            let upgrade = upgrade.max_message_size(MAX_POST).max_frame_size(MAX_POST);
            upgrade.on_upgrade(async move |socket| {
                mailbox::serve(socket, &shared.mailboxes, is_holder).await;
            })
        }
        Err(rejection) => rejection.into_response(),
    }
}
