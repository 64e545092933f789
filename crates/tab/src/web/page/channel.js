// The connection to the engine: a WebSocket to the server.

import { guestKey } from "./link.js";

export const PARTNER = "server";

/** Opens it; `handlers`: `open()`, `message(text)`, `closed()`. */
export function openChannel({ open, message, closed }) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${guestKey ? "/friend/socket" : `/socket${location.search}`}`);
  socket.addEventListener("open", () => {
    if (guestKey) socket.send(JSON.stringify({ key: guestKey }));
    open();
  });
  socket.addEventListener("message", ({ data }) => message(data));
  socket.addEventListener("close", closed);
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    send: (text) => socket.send(text),
  };
}
