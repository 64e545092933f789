// Games through Sabaki's own engine-sync module; see README.md.
import Module from 'node:module'
import {join} from 'node:path'
import {Referee, fail, random} from './common.mjs'

const {SABAKI, KAWARI} = process.env
const games = +(process.env.GAMES ?? 3)

// The environment of the module in Sabaki's window.
const electron = {ipcRenderer: {on() {}, send() {}, invoke: async () => {}}}
const load = Module._load
Module._load = function (request, ...rest) {
  return request === 'electron' ? electron : load.call(this, request, ...rest)
}
const settings = {'gtp.engine_quit_timeout': 3000}
globalThis.window = {sabaki: {setting: {get: (key) => settings[key]}}}

const {default: EngineSyncer} = await import(join(SABAKI, 'src/modules/enginesyncer.js'))
const gametree = await import(join(SABAKI, 'src/modules/gametree.js'))
const require = Module.createRequire(join(SABAKI, 'package.json'))
const sgf = require('@sabaki/sgf')

// Variant, size, Sabaki's board.
const boards = [
  ['go', '9', [9, 9]],
  ['stoical', '7', [7, 7]],
  ['no', '7', [15, 7]],
  ['go-san', '7', [15, 7]],
  ['tao', '7x6', [15, 6]],
  ['sygo', '7', [10, 7]],
  ['2.5d', '5', [11, 5]],
]

const ask = async (syncer, name, ...args) => {
  const {content, error} = await syncer.queueCommand({name, args})
  return error ? null : content
}

async function attach(id, size) {
  const args = `--variant ${id} --size ${size} --encoding sabaki --playouts 20 --seed 1`
  const syncer = new EngineSyncer({path: KAWARI, args, commands: ''})
  syncer.start()
  await ask(syncer, 'name')
  return syncer
}

async function state(syncer) {
  return [await ask(syncer, 'kawari-state'), await ask(syncer, 'kawari-history')].join('\n')
}

// The written turns make the same position in the referee.
async function check(syncer, referee, label) {
  const now = JSON.parse(await ask(syncer, 'kawari-state'))
  const history = (await ask(syncer, 'kawari-history')).split('\n').filter((line) => line)
  await referee.ask('clear_board')
  await referee.ask(`komi ${now.komi}`)
  for (const line of history) {
    const [color, word, ...rest] = line.split(' ')
    const turn = /^(nuke|tao|grow|layer)$/.test(word)
      ? [word, color, ...rest].join(' ')
      : `play ${color} ${word}`
    const answer = await referee.ask(turn)
    if (!answer.startsWith('=')) fail(`${label}: the referee refuses ${line}: ${answer}`)
  }
  const theirs = JSON.parse((await referee.ask('kawari-state')).slice(2))
  const grown = now.turn === theirs.turn && now.board.join() !== theirs.board.join()
  // In the middle of a growth the stones so far are in no written turn.
  if (grown && now.variant === 'sygo') return
  if (JSON.stringify(now) !== JSON.stringify(theirs)) {
    fail(`${label}: ${JSON.stringify(now)} is not ${JSON.stringify(theirs)}`)
  }
}

const newTree = ([width, height]) =>
  gametree.new().mutate((draft) => {
    draft.updateProperty(draft.root.id, 'SZ', [width === height ? `${width}` : `${width}:${height}`])
    draft.updateProperty(draft.root.id, 'KM', ['6.5'])
  })

const append = (tree, parent, color, vertex) => {
  let id
  const next = tree.mutate((draft) => {
    id = draft.appendNode(parent, {[color]: [vertex ? sgf.stringifyVertex(vertex) : '']})
  })
  return [next, id]
}

async function game([id, size, shown], number, counts) {
  const label = `${id} ${size} game ${number}`
  const referee = new Referee(['--variant', id, '--size', size])
  const syncer = await attach(id, size)
  let tree = newTree(shown)
  let at = tree.root.id
  const seen = new Map()
  // Every other game has turns typed in the console; the others restart the engine.
  const types = number % 2 === 0
  let typed = false
  let color = 'B'
  await syncer.sync(tree, at)
  for (let ply = 0; ply < 40; ply++) {
    const board = gametree.getBoard(tree, at)
    let next
    if (random(3) === 0) {
      const said = await ask(syncer, 'genmove', color)
      if (said === 'resign') break
      const vertex = said === 'pass' ? null : board.parseVertex(said)
      if (vertex && board.get(vertex) !== 0) fail(`${label}: ${said} is not empty or off the board`)
      ;[tree, next] = append(tree, at, color, vertex)
      counts.answers++
    } else {
      const vertex = [random(shown[0]), random(shown[1])]
      const free = board.get(vertex) === 0
      ;[tree, next] = append(tree, at, color, free ? vertex : null)
      try {
        await syncer.sync(tree, next)
        counts.clicks++
      } catch {
        // The dialog; one goes back.
        await syncer.sync(tree, at)
        continue
      }
    }
    at = next
    await syncer.sync(tree, at)
    if (types && random(6) === 0) {
      const legal = (await ask(syncer, 'kawari-legal')).split('\n').filter((turn) => / /.test(turn))
      const turn = legal.length > 0 ? legal[random(legal.length)].split(' ') : null
      if (turn && (await ask(syncer, turn[0], ...turn.slice(1))) != null) {
        typed = true
        counts.typed++
      }
    }
    seen.set(at, await state(syncer))
    await check(syncer, referee, label)
    color = color === 'B' ? 'W' : 'B'
    if (random(4) === 0) {
      const ids = [...seen.keys()]
      const there = ids[random(ids.length)]
      await syncer.sync(tree, there)
      if ((await state(syncer)) !== seen.get(there)) fail(`${label}: another state at a node`)
      counts.looks++
      await syncer.sync(tree, at)
      if ((await state(syncer)) !== seen.get(at)) fail(`${label}: another state back again`)
    }
  }
  // The engine stops and starts again: what was typed is gone, all else is not.
  await syncer.stop()
  if (!typed) {
    await syncer.sync(tree, at)
    if (seen.has(at) && (await state(syncer)) !== seen.get(at)) fail(`${label}: after the restart`)
    counts.restarts++
  }
  await syncer.stop()
  referee.process.stdin.end()
}

for (const board of boards) {
  const counts = {clicks: 0, answers: 0, looks: 0, typed: 0, restarts: 0}
  for (let number = 1; number <= games; number++) await game(board, number, counts)
  console.log(board[0], JSON.stringify(counts))
  if (games > 0 && counts.restarts === 0) fail(`${board[0]}: no restart`)
}
process.exit(0)
