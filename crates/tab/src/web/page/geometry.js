// The places of points. The picture of a board has one sheet, or one for each layer; the unit of
// length is the distance between two lines.

import { columnLetter, vertex } from "./dom.js";

/** Columns and rows that the arrow keys move by. */
export const ARROW_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
/** Space around the lines of a sheet, which has the coordinates. */
export const MARGIN = 1.2;
/** Lines of the other side that are drawn again beyond a joined edge. */
const REPEATED = 2;
const CAPTION = 0.75;
const GAP = 0.35;

// How the sheets of a stack lean: a row goes to the right and is shorter than a column.
const LEAN = 0.42;
const FLATTENED = 0.56;

/** The sheets of a state: those it names, or its layers side by side. */
function sheetsOf(state) {
  if (state.sheets?.length > 0) return state.sheets;
  const layers = state.layers ?? 1;
  const width = (state.width - (layers - 1)) / layers;
  const names = layers === 2 ? ["lower", "upper"] : null;
  const name = (layer) => (layers > 1 ? (names?.[layer] ?? `layer ${layer + 1}`) : "");
  return Array.from({ length: layers }, (_, layer) => ({ name: name(layer), left: layer * (width + 1), width }));
}

export const ARRANGEMENTS = ["beside", "below", "aslant"];

/** The arrangement in which several sheets are largest in a room of this width and height. */
export function roomiest(state, width, height) {
  const scale = (arrangement) => {
    const { viewBox } = new Geometry(state, arrangement);
    return Math.min(width / viewBox.width, height / viewBox.height);
  };
  return scale("below") > scale("beside") ? "below" : "beside";
}

/** The places of all points for one arrangement of the sheets. */
export class Geometry {
  constructor(state, arrangement) {
    this.height = state.height;
    this.sheets = sheetsOf(state);
    const joins = (what) => state.joined?.includes(what) ?? false;
    this.beyond = { columns: joins("columns") ? REPEATED : 0, rows: joins("rows") ? REPEATED : 0 };
    this.aslant = arrangement === "aslant" && this.sheets.length > 1;
    const tops = this.sheets.length > 1 && !this.aslant ? CAPTION : 0;
    this.frames = this.sheets.map((sheet, index) => {
      const place = this.aslant ? this.#lifted(index) : this.#separate(index, arrangement, tops);
      return { ...sheet, index, ...place };
    });
    this.#points = new Map();
    for (const frame of this.frames) {
      for (let column = 0; column < frame.width; column++) {
        for (let row = 0; row < this.height; row++) {
          const point = vertex(frame.left + column, row);
          this.#points.set(point, { point, frame, column, row, repeats: [], ...this.project(frame, column, row) });
        }
      }
      this.#repeat(frame);
    }
    this.viewBox = this.#bounds(tops);
  }

  #points;

  /** Notes the repeated places of points near joined edges, beyond the other edge. */
  #repeat(frame) {
    const { columns, rows } = this.beyond;
    const around = (at, length) => (at + REPEATED * length) % length;
    for (let column = -columns; column < frame.width + columns; column++) {
      for (let row = -rows; row < this.height + rows; row++) {
        const [own, up] = [around(column, frame.width), around(row, this.height)];
        if (own === column && up === row) continue;
        this.at(vertex(frame.left + own, up)).repeats.push(this.project(frame, column, row));
      }
    }
  }

  #separate(index, arrangement, tops) {
    const sheet = this.sheets[index];
    const across = sheet.width - 1 + 2 * MARGIN + GAP;
    const down = this.height - 1 + 2 * MARGIN + tops + GAP;
    // The highest layer is at the top when sheets are below one another.
    const fromTop = this.sheets.length - 1 - index;
    return arrangement === "below" ? { x: 0, y: fromTop * down } : { x: index * across, y: 0 };
  }

  #lifted(index) {
    const up = (this.height - 1 + 2 * MARGIN) * FLATTENED + 0.3;
    return { x: 0, y: -index * up };
  }

  /** The place of a column and row of a sheet, which may be fractions. */
  project(frame, column, row) {
    const down = this.height - 1 - row;
    return this.aslant
      ? { x: frame.x + column + LEAN * row, y: frame.y + down * FLATTENED }
      : { x: frame.x + column, y: frame.y + down };
  }

  cellMatrix() {
    return this.aslant ? [1, 0, -LEAN, FLATTENED] : [1, 0, 0, 1];
  }

  stoneHeight() {
    return this.aslant ? 0.8 : 1;
  }

  #bounds(tops) {
    const corners = this.frames.flatMap((frame) => this.corners(frame, MARGIN));
    const xs = corners.map((corner) => corner.x);
    const ys = corners.map((corner) => corner.y);
    const left = Math.min(...xs);
    const top = Math.min(...ys) - tops;
    return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  }

  /** The corners of a sheet with a margin around its lines and those beyond joined edges. */
  corners(frame, margin) {
    const [left, bottom] = [-margin - this.beyond.columns, -margin - this.beyond.rows];
    const [right, top] = [frame.width - 1 - left, this.height - 1 - bottom];
    const around = [[left, bottom], [right, bottom], [right, top], [left, top]];
    return around.map(([column, row]) => this.project(frame, column, row));
  }

  at(point) {
    return this.#points.get(point);
  }

  points() {
    return this.#points.keys();
  }

  /** The place of `to` that is nearest to `from`, perhaps beyond a joined edge. */
  towards(from, to) {
    const [start, end] = [this.at(from), this.at(to)];
    if (!start || !end) return undefined;
    const far = ({ x, y }) => Math.hypot(x - start.x, y - start.y);
    return [end, ...end.repeats].reduce((best, place) => (far(place) < far(best) ? place : best));
  }

  nearest(x, y) {
    let best = null;
    let distance = 0.5;
    for (const { point, repeats, ...own } of this.#points.values()) {
      for (const place of [own, ...repeats]) {
        const off = Math.max(Math.abs(place.x - x), Math.abs(place.y - y) / (this.aslant ? 0.8 : 1));
        if (off < distance) [best, distance] = [point, off];
      }
    }
    return best;
  }

  /** The point that an arrow key leads to; it goes from sheet to sheet at their edges, and round
   * the board at joined ones. */
  step(point, across, up) {
    const place = this.at(point);
    let { column, row } = place;
    let index = place.frame.index;
    column += across;
    row += up;
    if (column < 0 && index > 0) column = this.frames[--index].width - 1;
    else if (column >= place.frame.width && index + 1 < this.frames.length) [column, index] = [0, index + 1];
    const frame = this.frames[index];
    const within = (at, length, joined) => (joined ? (at + length) % length : Math.min(Math.max(at, 0), length - 1));
    column = within(column, frame.width, this.beyond.columns > 0);
    row = within(row, this.height, this.beyond.rows > 0);
    return vertex(frame.left + column, row);
  }

  /** The point at the same place of the next sheet. */
  throughSheets(point) {
    const place = this.at(point);
    const frame = this.frames[(place.frame.index + 1) % this.frames.length];
    return vertex(frame.left + place.column, place.row);
  }

  name(point) {
    const place = this.at(point);
    if (!place) return point;
    const own = columnLetter(place.column) + (place.row + 1);
    return place.frame.name ? `${place.frame.name} ${own}` : own;
  }

  middle() {
    const frame = this.frames[0];
    return vertex(frame.left + Math.floor(frame.width / 2), Math.floor(this.height / 2));
  }
}

export function cellsOf(rows) {
  const cells = new Map();
  rows.forEach((row, fromTop) => {
    for (let column = 0; column < row.length; column++) {
      cells.set(vertex(column, rows.length - 1 - fromTop), row[column]);
    }
  });
  return cells;
}

/** Points that are emphasized on an empty sheet, as columns and rows. */
export function starPoints(width, height) {
  const along = (length) => {
    if (length < 7) return length % 2 === 1 ? [(length - 1) / 2] : [];
    const edge = length < 13 ? 2 : 3;
    const middle = length % 2 === 1 ? [(length - 1) / 2] : [];
    return [edge, ...middle, length - 1 - edge];
  };
  const rows = along(height);
  const stars = along(width).flatMap((column) => rows.map((row) => [column, row]));
  if (width > 11 && height > 11) return stars;
  // Small boards have the corners and the middle.
  const central = (at, length) => at === (length - 1) / 2;
  return stars.filter(([column, row]) => central(column, width) === central(row, height));
}

