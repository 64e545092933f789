// Parts of the page on their own, in the browser that runs them.

import assert from "node:assert/strict";
import test from "node:test";
import { Person, withBoard } from "./board.mjs";

await withBoard(async (server, browser) => {
  const { tab } = await Person.visit(browser, server);

  await test("no two nodes of a tree lie on one another, and first children go straight on", async () => {
    const wrong = await tab.call(async () => {
      const { layOut } = await import("/tree.js");
      let state = 7;
      const below = (limit) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % limit;
      const faults = [];
      for (let trees = 0; trees < 60; trees++) {
        const nodes = new Map([[0, { id: 0, parent: null, children: [] }]]);
        for (let id = 1; id < 80; id++) {
          // Mostly on from the latest node, sometimes from anywhere.
          const parent = below(4) > 0 ? id - 1 : below(id);
          nodes.set(id, { id, parent, children: [] });
          nodes.get(parent).children.push(id);
        }
        const places = layOut(nodes, 0);
        const taken = new Set();
        for (const [id, { column, row }] of places) {
          if (taken.has(`${column} ${row}`)) faults.push(`${id} lies on another node`);
          taken.add(`${column} ${row}`);
          const { parent } = nodes.get(id);
          if (parent === null) continue;
          const above = places.get(parent);
          if (column !== above.column + 1) faults.push(`${id} is not one turn after ${parent}`);
          const first = nodes.get(parent).children[0] === id;
          if (first !== (row === above.row)) faults.push(`${id} is in row ${row}, its parent in ${above.row}`);
        }
        if (places.size !== nodes.size) faults.push("a node has no place");
      }
      return faults.slice(0, 5);
    });
    assert.deepEqual(wrong, []);
  });

  await test("each point is the nearest to its own place, however the layers lie", async () => {
    const wrong = await tab.call(async () => {
      const { Geometry, ARRANGEMENTS } = await import("/geometry.js");
      const faults = [];
      for (const arrangement of ARRANGEMENTS) {
        for (const [width, height, layers] of [[19, 19, 1], [2, 25, 1], [19, 9, 2], [17, 5, 3]]) {
          const geometry = new Geometry({ width, height, layers }, arrangement);
          const walls = layers - 1;
          if ([...geometry.points()].length !== (width - walls) * height) faults.push(`${arrangement} ${width}: number of points`);
          for (const point of geometry.points()) {
            const { x, y } = geometry.at(point);
            if (geometry.nearest(x + 0.2, y - 0.2) !== point) faults.push(`${arrangement} ${width}: ${point}`);
          }
        }
      }
      return faults.slice(0, 5);
    });
    assert.deepEqual(wrong, []);
  });

  await test("a text of many games is cut between games, in any character set", async () => {
    // The second game has a bracket as the second byte of a character, and a backslash before one.
    const games = ["(;GM[1]C[a) (;b\\] (])", "(;GM[1]PB[\x95\x5d\x95\x5c];B[aa](;W[bb])(;W[cc]))", "(;GM[1])"];
    const [bytes, utf16] = await tab.call(async (texts) => {
      const { portions } = await import("/records.js");
      const text = texts.join("\n");
      const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      const wide = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (letter) => letter.charCodeAt(0)).buffer);
      const words = (charset) => (part) => new TextDecoder(charset).decode(part).trim();
      const read = (part) => String.fromCharCode(...part).trim();
      return [[4, 60, 1000].map((most) => [...portions(latin, most)].map(read)), [...portions(wide, 4)].map(words("utf-8"))];
    }, games);
    assert.deepEqual(bytes, [games, [games[0], games.slice(1).join("\n")], [games.join("\n")]]);
    assert.equal(utf16.length, 3);
  });

  await test("the contents of a link come back, and a link that was cut off is refused", async () => {
    const [same, text, cut] = await tab.call(async () => {
      const { pack, unpack } = await import("/link.js");
      const data = { saved: { sgf: `(;C[${"碁".repeat(5000)}])` }, review: null };
      const packed = await pack(data);
      const broken = await unpack(packed.slice(0, -9)).then(() => "read", () => "refused");
      return [JSON.stringify(await unpack(packed)) === JSON.stringify(data), packed, broken];
    });
    assert.deepEqual([same, cut], [true, "refused"]);
    assert.match(text, /^game1\.[\w-]{20,200}$/);
  });

  await test("a better turn of several steps is named with all its points", async () => {
    const texts = await tab.call(async () => {
      const { turnText } = await import("/turn.js");
      const step = (color, at, text = at) => ({ color, at, text });
      const growth = [step("white", "C3", "grow C3"), step("white", "E5", "grow E5"), step("white", null, "end"), step("black", "D4")];
      return [turnText({ pv: growth }), turnText({ pv: [step("black", "D4"), step("white", "C3")] }), turnText({ pv: [step("black", null, "pass")] })];
    });
    assert.deepEqual(texts, ["grow C3 E5", "D4", "pass"]);
  });

  await test("a mark goes where it is put again, and another one replaces it", async () => {
    const changes = await tab.call(async () => {
      const { toggled } = await import("/marking.js");
      return [
        toggled({}, "TR", "A9", 9),
        toggled({ TR: "aa\nbb" }, "TR", "A9", 9),
        toggled({ TR: "aa" }, "SQ", "A9", 9),
        toggled({ SQ: "aa:ba" }, "SQ", "B9", 9),
        toggled({ LB: "aa:A\nbb:1" }, "A", "C9", 9),
        toggled({ LB: "aa:A\nbb:1" }, "1", "A9", 9),
        toggled({ LB: "aa:A" }, "A", "A9", 9),
      ];
    });
    assert.deepEqual(changes, [{ TR: "aa" }, { TR: "bb" }, { TR: "", SQ: "aa" }, { SQ: "aa" }, { LB: "aa:A\nbb:1\nca:B" }, { LB: "bb:1\naa:2" }, { LB: "" }]);
  });

  await test("rules become headings, tables, lists and code, and never elements of their own", async () => {
    const page = await tab.call(async () => {
      const { markdown } = await import("/rules.js");
      const box = document.createElement("div");
      box.append(...markdown("# `no`: Go\n\nA *nuke*\nis **big** <b>.\n\n| a | |\n| - | - |\n| 1 | `x` |\n\n- one\n- two\n  more"));
      return box.innerHTML;
    });
    assert.equal(
      page,
      "<h2><code>no</code>: Go</h2><p>A <em>nuke</em> is <strong>big</strong> &lt;b&gt;.</p>" +
        '<table><thead><tr><th scope="col">a</th><th scope="col">meaning</th></tr></thead><tbody><tr><td>1</td><td><code>x</code></td></tr></tbody></table>' +
        "<ul><li>one </li><li>two   more</li></ul>",
    );
  });
  await tab.close();
});
