// Links, files, collections and pasted records.

import assert from "node:assert/strict";
import test from "node:test";
import { Person, withBoard } from "./board.mjs";
import { closeDialog, entry, GAME, GO, listed, OTHER, pressEntry, turnIs } from "./mygames.mjs";

await withBoard(async (server, browser) => {
  await test("a link has the whole record, and its result", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.until(() => document.querySelector("dialog[open]"));
    await person.drop([["ann.sgf", GAME]]);
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await person.tab.until(() => !document.querySelector("dialog") && document.activeElement.id === "board");
    await person.tab.key("ArrowRight");
    await turnIs(person, 1);
    await person.tab.press("#copy-link");
    const address = await person.tab.until(() => document.querySelector("dialog input[readonly]")?.value);
    assert.ok(address.length < 700, `${address.length} letters`);
    const friend = new Person(await browser.open(address));
    await turnIs(friend, 1);
    const other = await friend.tab.call(async () => {
      const { model } = await import("/main.js");
      const nodes = [...model.nodes.values()];
      return { header: model.game.header, result: model.game.result, comment: nodes[1].comment, nodes: nodes.length, marks: nodes.some(({ marks }) => marks?.TR) };
    });
    assert.equal(other.header.white_rank, "2k");
    assert.deepEqual({ ...other, header: null }, { header: null, result: "Black wins by resignation", comment: "well", nodes: 5, marks: true });
    assert.equal((await listed(friend)).length, 1, "it is kept");
    // An address that is opened in a tab with a game is another game.
    await friend.newGame("go", GO);
    await friend.clickAll(["C3"]);
    await friend.tab.call((hash) => {
      location.hash = hash;
    }, new URL(address).hash);
    await friend.until("({ model }) => model.game.header.black === 'Ann'");
    assert.equal((await listed(friend)).length, 3);
    const names = await friend.tab.call(() => [...document.querySelectorAll(".player .who")].map(({ textContent }) => textContent));
    assert.deepEqual(names, ["Ann 3d", "Bo 2k"]);
    // Other addresses, and parts of one, change nothing.
    for (const hash of ["#nothing", new URL(address).hash.slice(0, -20)]) {
      await friend.tab.call((text) => {
        document.getElementById("messages").replaceChildren();
        location.hash = text;
      }, hash);
      await friend.tab.until(() => /The link cannot be read/.test(document.getElementById("messages").textContent));
    }
    assert.equal((await listed(friend)).length, 3);
    await friend.tab.close();
    await person.tab.close();
  });

  await test("a record that is too long for a link becomes a file", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    const noise = Array.from({ length: 40_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join("");
    await person.drop([["long.sgf", `(;GM[1]SZ[9]C[${noise}];B[ee])`]]);
    await person.until("({ model }) => model.game.header.black === '' && model.nodes.size === 2");
    await person.tab.press("#copy-link");
    await person.tab.until(() => /too long for a link/.test(document.getElementById("messages").textContent));
    await person.tab.close();
  });

  await test("several files are a collection until one of its games is edited", async () => {
    const person = await Person.visit(browser, server);
    await person.tab.until(() => document.querySelector("dialog[open]"));
    await person.drop([["ann.sgf", GAME], ["cy.sgf", OTHER]]);
    await person.tab.until(() => document.querySelectorAll("dialog[open]").length === 1);
    await person.tab.press(".collection li:nth-child(2) button");
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    assert.equal((await listed(person)).length, 1);
    await person.tab.key("End");
    await turnIs(person, 2);
    await person.tab.reload();
    await turnIs(person, 2);
    await person.clickAll(["E5"]);
    const entries = await listed(person);
    assert.deepEqual(entries.map(([title]) => title).sort(), ["2 files: ann.sgf, …", "Cy – Di"]);
    await person.tab.press("#my-games");
    await pressEntry(person, await entry(person, "a collection"), "open");
    await person.tab.press(".collection li:nth-child(1) button");
    await person.until("({ model }) => model.game.header.black === 'Ann'");
    await person.tab.close();
  });

  await test("a file of several games is saved whole, and its bytes are read in the right character set", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.drop([["two.sgf", `${GAME}\n${OTHER}`]]);
    await person.tab.press(".collection li:nth-child(2) button");
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    await person.request({ comment: { node: 0, text: "mine" } });
    await person.tab.reload();
    await person.until("({ model }) => model.game?.header.black === 'Cy'");
    const { bytes } = await person.request("save");
    const text = Buffer.from(bytes, "base64").toString();
    assert.ok(text.startsWith(GAME) && text.includes("C[mine]"), text);
    await person.tab.call((codes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(codes)], "gbk.sgf"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [...Buffer.from("(;GM[1]SZ[9]PB["), 0xbf, 0xc2, 0xbd, 0xe0, ...Buffer.from("];B[ee];W[ee];B[gg])")]);
    await person.until("({ model }) => model.game.header.black === '柯洁'");
    const said = await person.tab.until(() => [...document.querySelectorAll(".message")].map(({ textContent }) => textContent).join(" "));
    assert.match(said, /Move 2 of gbk\.sgf, W E5, is not allowed: occupied.*keeps the rest/);
    assert.match(said, /as gb18030[^✕]*set\.✕Big5/);
    await person.tab.close();
  });

  await test("a pasted record opens, and the arrows go through it after a click on Record", async () => {
    const person = await Person.visit(browser, server);
    await closeDialog(person);
    await person.tab.call((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.getElementById("board").dispatchEvent(new ClipboardEvent("paste", { clipboardData, data: text, dataType: "text/plain", bubbles: true, cancelable: true }));
    }, OTHER);
    await person.until("({ model }) => model.game.header.black === 'Cy'");
    await person.tab.press("#tab-tree");
    await person.tab.key("ArrowRight");
    await turnIs(person, 1);
    await person.tab.key("End");
    await turnIs(person, 2);
    await person.tab.press("#panel-tree .tree-view");
    await person.tab.key("Home");
    await turnIs(person, 0);
    await person.tab.key("ArrowRight");
    await turnIs(person, 1);
    await person.tab.close();
  });
});
