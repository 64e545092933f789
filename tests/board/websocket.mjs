// A client of WebSockets for texts (RFC 6455), as far as a browser on this machine needs it: node
// has one of its own since version 22.

import { randomBytes } from "node:crypto";
import { request } from "node:http";

const CONTINUATION = 0;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** A frame of a client: its bytes are masked. */
function frame(opcode, bytes) {
  const { length } = bytes;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | Math.min(length, length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, bytes.map((byte, at) => byte ^ mask[at % 4])]);
}

/** The first frame of received bytes, and its length; null if the frame is not complete. */
function firstFrame(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const begin = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < begin) return null;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < begin + length) return null;
  return { isLast: bytes[0] >= 0x80, opcode: bytes[0] & 0x0f, content: bytes.subarray(begin, begin + length), end: begin + length };
}

/** Opens a connection to an address `ws://…`; `take` is called with each text. */
export async function connect(address, take) {
  const url = new URL(address.replace(/^ws/, "http"));
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": 13, "sec-websocket-key": randomBytes(16).toString("base64") };
  const [socket, rest] = await new Promise((resolve, reject) => {
    const asked = request(url, { headers });
    asked.once("upgrade", (_response, ...upgraded) => resolve(upgraded));
    asked.once("response", ({ statusCode }) => reject(new Error(`no WebSocket: ${statusCode}`)));
    asked.once("error", reject);
    asked.end();
  });
  let unread = rest;
  let parts = [];
  const read = (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    for (let next = firstFrame(unread); next; next = firstFrame(unread)) {
      const { isLast, opcode, content, end } = next;
      unread = unread.subarray(end);
      if (opcode === CLOSE) socket.end();
      else if (opcode === PING) socket.write(frame(PONG, content));
      else if (opcode === TEXT || opcode === CONTINUATION) {
        parts.push(content);
        if (!isLast) continue;
        const text = Buffer.concat(parts).toString("utf8");
        parts = [];
        take(text);
      }
    }
  };
  socket.setNoDelay(true);
  socket.on("data", read);
  socket.on("error", () => {});
  read(Buffer.alloc(0));
  return { send: (text) => socket.write(frame(TEXT, Buffer.from(text))) };
}
