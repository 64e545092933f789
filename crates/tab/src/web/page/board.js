// The board in SVG: sheets with lines and coordinates, the contents of the points, and layers
// above them for marks, the search and the cursor.

import { columnLetter, h, s } from "./dom.js";
import { arrow, cell, degrees } from "./cells.js";
import { cellsOf, Geometry, MARGIN, starPoints } from "./geometry.js";

const round = (number) => Math.round(number * 1000) / 1000;
const at = ({ x, y }) => `translate(${round(x)} ${round(y)})`;

/** The layers above the sheets, from the lowest to the highest. */
const LAYERS = ["shading", "links", "marks", "search", "ghosts", "cursor"];

export class Board {
  constructor(container, options = {}) {
    this.container = container;
    this.options = options;
    this.geometry = null;
    this.layers = {};
    this.shown = new Map();
  }

  /** Shows a state; draws only what changes. */
  show(state, arrangement = "beside") {
    this.#prepare(state, arrangement);
    const arrows = new Map((state.voids ?? []).map(({ point, arrow }) => [point, arrow]));
    for (const [point, symbol] of cellsOf(state.board)) {
      this.set(point, symbol, arrows.get(point));
    }
  }

  #prepare(state, arrangement) {
    const sheets = JSON.stringify(state.sheets ?? null);
    const form = `${state.width} ${state.height} ${state.joined ?? ""} ${sheets} ${arrangement}`;
    if (form === this.form) return;
    this.form = form;
    this.geometry = new Geometry(state, arrangement);
    this.shown.clear();
    this.#drawSheets();
  }

  #drawSheets() {
    const { left, top, width, height } = this.geometry.viewBox;
    this.svg = s("svg", {
      class: "board",
      viewBox: [left, top, width, height].map(round).join(" "),
      role: "img",
      "aria-label": this.options.label ?? "Board",
    });
    const sheets = s("g", { class: "sheets" });
    this.layers = {};
    // The sheets of a stack overlap, so each has its own layers.
    for (const frame of this.geometry.frames) {
      const sheet = s("g", { class: "sheet" }, this.#plate(frame));
      const addLayers = (group) => {
        const layers = { rims: s("g"), ground: s("g"), stones: s("g") };
        group.append(layers.rims, layers.ground, layers.stones);
        return layers;
      };
      if (this.#isJoined()) {
        const repeats = s("g", { class: "repeats", "aria-hidden": "true" }, this.#linesRound(frame));
        frame.repeats = addLayers(repeats);
        sheet.append(repeats);
      }
      sheet.append(this.#lines(frame), this.#coordinates(frame));
      frame.layers = addLayers(sheet);
      sheets.append(sheet);
    }
    this.svg.append(sheets);
    for (const name of LAYERS) {
      this.layers[name] = s("g", { class: name });
      this.svg.append(this.layers[name]);
    }
    this.container.replaceChildren(this.svg);
    this.container.style.setProperty("--ratio", String(round(width / height)));
    this.container.style.setProperty("--across", String(round(width)));
  }

  #plate(frame) {
    const corners = this.geometry.corners(frame, MARGIN - 0.12);
    const path = (down) => `M${corners.map(({ x, y }) => `${round(x)} ${round(y + down)}`).join("L")}Z`;
    return s(
      "g",
      { class: "plate" },
      s("path", { class: "side", d: path(0.11) }),
      s("path", { class: "top", d: path(0) }),
      s("path", { class: "top-grain", d: path(0) }),
    );
  }

  #isJoined() {
    const { columns, rows } = this.geometry.beyond;
    return columns + rows > 0;
  }

  #line(frame, from, to, name) {
    const a = this.geometry.project(frame, ...from);
    const b = this.geometry.project(frame, ...to);
    return s("path", { class: name, d: `M${round(a.x)} ${round(a.y)}L${round(b.x)} ${round(b.y)}` });
  }

  /** The lines of a sheet beyond joined edges, and the seams where the board begins again. */
  #linesRound(frame) {
    const { beyond, height } = this.geometry;
    const range = (length, more) => (more > 0 ? [-more - 0.5, length - 0.5 + more] : [0, length - 1]);
    const [[left, right], [bottom, top]] = [range(frame.width, beyond.columns), range(height, beyond.rows)];
    const drawn = s("g", { class: "lines-round" });
    const add = (from, to, name) => drawn.append(this.#line(frame, from, to, name));
    for (let column = Math.ceil(left); column <= right; column++) add([column, bottom], [column, top], "line");
    for (let row = Math.ceil(bottom); row <= top; row++) add([left, row], [right, row], "line");
    for (const at of beyond.columns > 0 ? [-0.5, frame.width - 0.5] : []) add([at, bottom], [at, top], "seam");
    for (const at of beyond.rows > 0 ? [-0.5, height - 0.5] : []) add([left, at], [right, at], "seam");
    return drawn;
  }

  #lines(frame) {
    const { geometry } = this;
    const columns = frame.width - 1;
    const rows = geometry.height - 1;
    const drawn = s("g", { class: "lines" });
    const name = (at, last, beyond) => (beyond === 0 && (at === 0 || at === last) ? "line outer" : "line");
    for (let column = 0; column <= columns; column++) {
      drawn.append(this.#line(frame, [column, 0], [column, rows], name(column, columns, geometry.beyond.columns)));
    }
    for (let row = 0; row <= rows; row++) {
      drawn.append(this.#line(frame, [0, row], [columns, row], name(row, rows, geometry.beyond.rows)));
    }
    for (const [column, row] of starPoints(frame.width, geometry.height)) {
      drawn.append(s("circle", { class: "star", r: 0.085, transform: at(geometry.project(frame, column, row)) }));
    }
    return drawn;
  }

  #coordinates(frame) {
    const { geometry } = this;
    const beside = MARGIN - 0.33 + geometry.beyond.columns;
    const below = MARGIN - 0.33 + geometry.beyond.rows;
    // Letters grow with the board, so that they are about as large on the screen.
    const size = Math.min(0.46, 0.15 + 0.0125 * this.geometry.viewBox.width);
    const group = s("g", { class: "coordinates", "aria-hidden": "true", "font-size": `${round(size)}px` });
    const write = (text, column, row, name) => {
      const { x, y } = geometry.project(frame, column, row);
      group.append(s("text", { x: round(x), y: round(y), class: name ?? null }, text));
    };
    for (let column = 0; column < frame.width; column++) {
      write(columnLetter(column), column, -below);
      write(columnLetter(column), column, geometry.height - 1 + below);
    }
    for (let row = 0; row < geometry.height; row++) {
      write(String(row + 1), -beside, row);
      write(String(row + 1), frame.width - 1 + beside, row);
    }
    if (frame.name) {
      const top = geometry.height - 1 + MARGIN;
      if (geometry.aslant) write(frame.name, -MARGIN - 0.2, top - 0.55, "caption end");
      else write(frame.name, (frame.width - 1) / 2, top + 0.32, "caption");
    }
    return group;
  }

  set(point, symbol, direction, effect) {
    const place = this.geometry.at(point);
    if (!place) return;
    const shown = this.shown.get(point);
    if (shown && shown.symbol === symbol) {
      if (shown.direction !== direction && direction) this.#turn(shown, direction);
      return;
    }
    for (const element of [...(shown?.holders ?? []), ...(shown?.rims ?? [])]) element.remove();
    const now = { symbol, direction, holders: [], rims: [] };
    this.shown.set(point, now);
    this.#draw(now, place, place.frame.layers, { effect, point });
    for (const repeat of place.repeats) this.#draw(now, repeat, place.frame.repeats, { effect });
  }

  #draw(shown, place, layers, { effect, point }) {
    const { symbol, direction } = shown;
    const element = cell(symbol, this.geometry, direction);
    if (!element) return;
    if (effect) element.classList.add(effect);
    const holder = s("g", { transform: at(place), "data-point": point ?? null }, element);
    shown.holders.push(holder);
    const ground = symbol === "*" || symbol === "#";
    layers[ground ? "ground" : "stones"].append(holder);
    if (symbol !== "*") return;
    const rim = s(
      "g",
      { transform: at(place) },
      s("rect", {
        class: "rim",
        x: -0.58, y: -0.58, width: 1.16, height: 1.16, rx: 0.12,
        transform: `matrix(${this.geometry.cellMatrix().join(" ")} 0 0)`,
      }),
    );
    shown.rims.push(rim);
    layers.rims.append(rim);
  }

  #turn(shown, direction) {
    shown.direction = direction;
    for (const holder of shown.holders) this.#turnArrow(holder, direction);
  }

  #turnArrow(holder, direction) {
    const turned = holder.querySelector(".turned");
    if (!turned) {
      holder.firstChild.append(arrow(direction));
      return;
    }
    // Arrows turn clockwise, past north too, unless the game goes back by one.
    const before = Number(/-?\d+/.exec(turned.style.transform)?.[0] ?? 0);
    const clockwise = (((degrees(direction) - before) % 360) + 360) % 360;
    turned.style.transform = `rotate(${before + (clockwise === 315 ? -45 : clockwise)}deg)`;
  }

  symbol(point) {
    return this.shown.get(point)?.symbol ?? ".";
  }

  /** Replaces one of the upper layers: pairs of a point and its pictures. */
  overlay(name, pictures) {
    this.layers[name]?.replaceChildren(
      ...pictures.flatMap(([point, ...elements]) => {
        const place = this.geometry.at(point);
        return place ? [s("g", { transform: at(place) }, ...elements)] : [];
      }),
    );
  }

  /** Replaces one of the upper layers: pictures with their own places. */
  draw(name, elements) {
    this.layers[name]?.replaceChildren(...elements);
  }

  pointAt(clientX, clientY) {
    const matrix = this.svg?.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return this.geometry.nearest(x, y);
  }
}

export function picture(state, caption) {
  const frame = h("div", { class: "picture-board" });
  const board = new Board(frame, { label: caption });
  board.show(state);
  return { board, element: h("figure", { class: "picture" }, frame, h("figcaption", {}, caption)) };
}

/** A picture of a state without words, where they stand beside it. */
export function thumbnail(state) {
  const { element } = picture(state, "");
  element.querySelector("figcaption").remove();
  element.querySelector("svg").setAttribute("aria-hidden", "true");
  return h("div", { class: "thumb" }, element);
}
