// Sabaki's page in Chromium, with a real engine; see README.md.
import Module from 'node:module'
import http from 'node:http'
import {spawn, execFileSync} from 'node:child_process'
import {createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, extname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const {SABAKI, KAWARI, CHROMIUM, SHOTS} = process.env
const here = dirname(fileURLToPath(import.meta.url))
const require = Module.createRequire(join(SABAKI, 'package.json'))
const {chromium} = require('playwright-core')
const work = mkdtempSync(join(tmpdir(), 'kawari-page-'))
if (SHOTS) mkdirSync(SHOTS, {recursive: true})

console.log('bundling')
execFileSync('npx', ['webpack', '--config', join(here, 'webpack.cjs')], {
  cwd: SABAKI,
  env: {...process.env, OUT: work},
  stdio: ['ignore', 'ignore', 'inherit'],
})

// Sabaki's own defaults, without sound and movement, with all its panes.
const text = readFileSync(join(SABAKI, 'src/setting.js'), 'utf8')
const defaults = {
  ...eval(`(${text.match(/let defaults = (\{[\s\S]*?\n\})/)[1]})`),
  'app.lang': 'en',
  'app.startup_check_updates': false,
  'app.loadgame_delay': 0,
  'sound.enable': false,
  'view.animated_stone_placement': false,
  'view.fuzzy_stone_placement': false,
  'view.show_leftsidebar': true,
  'view.leftsidebar_width': 330,
  'view.peerlist_height': 60,
  'view.show_coordinates': true,
  'view.show_comments': true,
  'view.show_graph': true,
  'edit.history_batch_interval': 0,
  'game.navigation_analysis_delay': 50,
  'game.show_suicide_warning': false,
  'game.show_ko_warning': false,
}

const types = {'.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.html': 'text/html', '.wasm': 'application/wasm'}
const page_html = readFileSync(join(SABAKI, 'index.html'), 'utf8').replace(
  '<script src="./bundle.js">',
  `<script>window.defaults=${JSON.stringify(defaults)}</script><script src="./electron.js"></script><script src="./bundle.js">`,
)
const server = http.createServer((request, response) => {
  const {pathname, searchParams} = new URL(request.url, 'http://localhost')
  const name = searchParams.get('name')
  if (pathname === '/read') {
    if (!existsSync(name)) return response.writeHead(404).end()
    return createReadStream(name).pipe(response)
  }
  if (pathname === '/write') {
    let body = ''
    request.on('data', (data) => (body += data))
    return request.on('end', () => {
      writeFileSync(name, body)
      response.end()
    })
  }
  if (pathname === '/') return response.setHeader('content-type', 'text/html').end(page_html)
  const file =
    pathname === '/electron.js' ? join(here, 'electron.js')
    : pathname === '/bundle.js' ? join(work, 'bundle.js')
    : join(SABAKI, decodeURIComponent(pathname))
  if (!existsSync(file)) return response.writeHead(404).end()
  response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
  createReadStream(file).pipe(response)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${server.address().port}/`

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const errors = []
const fail = (text) => {
  console.log(`FAILED: ${text}`)
  process.exit(1)
}

async function open(args) {
  const page = await browser.newPage({viewport: {width: 1150, height: 620}})
  const engines = {}
  page.on('pageerror', (error) => errors.push(`${args}: ${error.stack ?? error}`))
  page.on('dialog', (dialog) => dialog.accept())
  const tell = (f, ...rest) => page.evaluate(f, rest).catch(() => {})
  await page.exposeFunction('engineStarts', (number, command, words) => {
    const engine = (engines[number] = spawn(command, words))
    for (const stream of ['stdout', 'stderr']) {
      engine[stream].setEncoding('utf8')
      engine[stream].on('data', (data) => tell(([n, s, d]) => engineSays(n, s, d), number, stream, data))
    }
    engine.on('exit', (code) => tell(([n, c]) => engineEnds(n, c), number, code))
  })
  await page.exposeFunction('engineHears', (number, text) => {
    if (text == null) engines[number].kill()
    else engines[number].stdin.write(text)
  })
  await page.goto(address)
  await page.waitForSelector('#goban').catch(() => fail(`no board: ${errors.join('\n')}`))
  await page.waitForFunction(() => window.__sabaki != null)
  await page.evaluate(
    ([path, args]) => window.__sabaki.attachEngines([{name: 'kawari', path, args, commands: ''}]),
    [KAWARI, args],
  )
  await page.waitForFunction(() => window.__sabaki.state.attachedEngineSyncers[0]?.commands.length > 0)
  return page
}

const newGame = (page, size, komi = 6.5) =>
  page.evaluate(
    async ([size, komi]) => {
      await __sabaki.loadContent(`(;GM[1]FF[4]SZ[${size}]KM[${komi}])`, 'sgf', {suppressAskForSave: true})
      await new Promise((resolve) => setTimeout(resolve, 300))
    },
    [size, komi],
  )
const quiet = (page) =>
  page.waitForFunction(() => {
    const [syncer] = __sabaki.state.attachedEngineSyncers
    return !syncer.busy && !syncer.stateTracker.syncing && __sabaki.state.busy === 0
  })
const engineIs = (page, color) =>
  page.evaluate((key) => {
    __sabaki.setState({[key]: __sabaki.state.attachedEngineSyncers[0].id})
  }, `${color}EngineSyncerId`)

// A click of the mouse on a vertex.
async function click(page, vertex) {
  const [x, y] = await page.evaluate((vertex) => __sabaki.inferredState.board.parseVertex(vertex), vertex)
  const before = await page.evaluate(() => __sabaki.state.treePosition)
  const at = page.locator(`#goban .shudan-vertex[data-x="${x}"][data-y="${y}"]`)
  await at.click({force: true, timeout: 5000})
  // The move stands, and the engine's answer, if it answers.
  await page
    .waitForFunction(
      (before) => {
        const {treePosition, whiteEngineSyncerId, gameTrees, gameIndex} = __sabaki.state
        const node = gameTrees[gameIndex].get(treePosition)
        return treePosition !== before && (whiteEngineSyncerId == null || node.data.W != null)
      },
      before,
      {timeout: 15000},
    )
    .catch(() => fail(`${vertex}: nothing happens`))
  await quiet(page)
}
// A click on the first of these that Sabaki shows empty and that is legal,
// whatever the engine played.
async function clickFree(page, vertices) {
  const legal = (await asked(page, 'kawari-legal')).split('\n').map((turn) => turn.split(' ').pop())
  const empty = await page.evaluate((vertices) => {
    const {board} = __sabaki.inferredState
    return vertices.filter((vertex) => board.get(board.parseVertex(vertex)) === 0)
  }, vertices)
  const free = empty.find((vertex) => legal.includes(vertex))
  if (free == null) fail(`none of ${vertices} is free`)
  await click(page, free)
  return free
}
async function type(page, line) {
  const input = page.locator('.gtp-console .input input.command')
  await input.fill(line)
  await input.press('Enter')
  await page.waitForTimeout(80)
  await quiet(page)
}
const sync = (page) =>
  page.evaluate(() =>
    __sabaki.syncEngine(__sabaki.state.attachedEngineSyncers[0].id, __sabaki.state.treePosition),
  )
const asked = (page, name) =>
  page.evaluate(
    (name) => __sabaki.state.attachedEngineSyncers[0].queueCommand({name, args: []}).then((r) => r.content),
    name,
  )
async function shot(page, name) {
  if (!SHOTS) return
  await page.mouse.move(5, 5)
  await page.waitForTimeout(250)
  await page.locator('#goban').screenshot({path: join(SHOTS, `sabaki-${name}.png`)})
}

const games = {
  async no() {
    const page = await open('--variant no --size 9 --encoding sabaki --playouts 60 --seed 1')
    await newGame(page, '19:9')
    await engineIs(page, 'white')
    await click(page, 'E5')
    await clickFree(page, ['C3', 'G7'])
    await click(page, 'P5')
    await clickFree(page, ['G3', 'C7', 'G7', 'B2', 'H8'])
    await quiet(page)
    const before = await asked(page, 'kawari-state')
    if (!/"point":"E5","arrow"/.test(before)) fail(`no: no void: ${before}`)
    await shot(page, 'no')
    // Back and forth again.
    for (const step of ['undo', 'undo', 'redo', 'redo']) {
      await page.evaluate((step) => __sabaki[step](), step)
      await page.waitForTimeout(50)
      await sync(page)
      await quiet(page)
    }
    if ((await asked(page, 'kawari-state')) !== before) fail('no: another state after undo and redo')
    // The overlay, in a new game.
    await newGame(page, '19:9')
    await sync(page)
    await quiet(page)
    await page.evaluate(() => __sabaki.startAnalysis(__sabaki.state.attachedEngineSyncers[0].id))
    await page.waitForFunction(() => __sabaki.state.analysis?.variations.length > 0)
    await page.waitForTimeout(1500)
    const vertices = await page.evaluate(() => __sabaki.state.analysis.variations.map((v) => v.vertex))
    if (vertices.some(([x, y]) => x < 0 || y < 0)) fail('no: a move off the board')
    await shot(page, 'analysis')
    await page.evaluate(() => __sabaki.stopAnalysis())
    return page
  },
  async 'go-san'() {
    const page = await open('--variant go-san --size 7 --encoding sabaki --playouts 60 --seed 1')
    await newGame(page, '15:7')
    await engineIs(page, 'white')
    for (const vertex of ['D4', 'C3', 'M4']) await click(page, vertex)
    await type(page, 'nuke b C3')
    if (!/nuke C3/.test(await asked(page, 'kawari-history'))) fail('go-san: a typed nuke is lost')
    await shot(page, 'go-san')
    return page
  },
  async tao() {
    const page = await open('--variant tao --size 9 --encoding sabaki --playouts 60 --seed 1 --rule tao-supply=1')
    await newGame(page, '19:9')
    await engineIs(page, 'white')
    for (const vertex of ['C3', 'P7']) await click(page, vertex)
    await clickFree(page, ['G7', 'G3', 'C7', 'B2'])
    if (!/tao E7/.test(await asked(page, 'kawari-history'))) fail('tao: no tao stone')
    await shot(page, 'tao')
    return page
  },
  async sygo() {
    const page = await open('--variant sygo --size 9 --encoding sabaki --playouts 60 --seed 1 --rule first=black')
    await newGame(page, '11:9', 0)
    await engineIs(page, 'white')
    await click(page, 'C3')
    await clickFree(page, ['G7', 'G3', 'C7'])
    const grown = await clickFree(page, ['C4', 'D3', 'B3', 'C2'])
    await click(page, 'L1')
    if (!(await asked(page, 'kawari-history')).includes(`B grow ${grown}\n`)) {
      fail(`sygo: no growth: ${await asked(page, 'kawari-history')}`)
    }
    await shot(page, 'sygo')
    return page
  },
  async stoical() {
    const page = await open('--variant stoical --size 9 --encoding sabaki --playouts 60 --seed 1')
    await newGame(page, 9, 7.5)
    await page.evaluate(() => 0)
    for (const vertex of ['D5', 'E5', 'E6', 'F6', 'E4', 'F4', 'B2', 'G5', 'F5']) await click(page, vertex)
    await sync(page)
    await quiet(page)
    if ((await asked(page, 'kawari-legal')).split('\n').includes('E5')) fail('stoical: E5 is legal')
    await shot(page, 'stoical')
    return page
  },
  async '2.5d'() {
    const page = await open('--variant 2.5d --size 9 --encoding sabaki --playouts 60 --seed 1')
    await newGame(page, '19:9', 7.5)
    await engineIs(page, 'white')
    for (const vertex of ['C3', 'P7']) await click(page, vertex)
    for (const vertices of [['F6', 'F4', 'B6'], ['G7', 'G3', 'B2']]) await clickFree(page, vertices)
    if (!/B layer 1/.test(await asked(page, 'kawari-history'))) fail('2.5d: no second layer')
    await shot(page, '2.5d')
    return page
  },
  async go() {
    const page = await open('--variant go --size 9 --encoding sabaki --playouts 60 --seed 1')
    await newGame(page, 9, 7)
    await engineIs(page, 'white')
    await click(page, 'E5')
    for (const vertices of [['C3', 'G3'], ['G7', 'C7'], ['D7', 'D3', 'B2']]) await clickFree(page, vertices)
    await shot(page, 'go')
    return page
  },
}

process.on('uncaughtException', (error) => fail([error.stack, ...errors].join('\n')))
const wanted = process.env.ONLY ? process.env.ONLY.split(',') : Object.keys(games)
for (const name of wanted) {
  const page = await games[name]()
  const boxes = await page.evaluate(() => window.boxes)
  if (boxes.length > 0) fail(`${name}: ${boxes}`)
  await page.close()
  console.log(name)
}
await browser.close()
server.close()
rmSync(work, {recursive: true})
if (errors.length > 0) fail(errors.join('\n'))
console.log('0 page errors')
process.exit(0)
