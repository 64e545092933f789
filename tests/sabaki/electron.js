// Stands in for electron and node in a browser: files are read and engines are
// started by page.mjs, which serves the page.
;(() => {
  const settings = {...window.defaults}
  const changed = []
  const listeners = {}
  const nothing = async () => {}

  const reach = (what, query, body) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/${what}?${new URLSearchParams(query)}`, false)
    request.overrideMimeType('text/plain; charset=x-user-defined')
    request.send(body)
    if (request.status !== 200) throw new Error(`${what}: ${JSON.stringify(query)}`)
    return Uint8Array.from(request.responseText, (c) => c.charCodeAt(0) & 255)
  }

  class Bytes extends Uint8Array {
    toString(encoding) {
      return new TextDecoder(encoding === 'latin1' ? 'latin1' : 'utf-8').decode(this)
    }
  }
  window.Buffer = {isBuffer: (x) => x instanceof Uint8Array, from: (x) => Bytes.from(x)}

  class Emitter {
    constructor() {
      this.handlers = {}
    }
    on(event, handler) {
      ;(this.handlers[event] ??= []).push(handler)
      return this
    }
    once(event, handler) {
      const wrapped = (...args) => {
        this.removeListener(event, wrapped)
        handler(...args)
      }
      return this.on(event, wrapped)
    }
    removeListener(event, handler) {
      this.handlers[event] = (this.handlers[event] ?? []).filter((x) => x !== handler)
      return this
    }
    emit(event, ...args) {
      for (const handler of [...(this.handlers[event] ?? [])]) handler(...args)
    }
  }

  // Engines by number; page.mjs calls engineSays and engineEnds.
  const engines = []
  window.engineSays = (number, stream, text) => engines[number][stream].emit('data', text)
  window.engineEnds = (number, code) => {
    engines[number].emit('exit', code, null)
    engines[number].stdout.emit('close')
  }
  const spawn = (command, args) => {
    const engine = Object.assign(new Emitter(), {stdout: new Emitter(), stderr: new Emitter()})
    const number = engines.push(engine) - 1
    engine.stdout.destroy = () => {}
    engine.stdin = {
      write: (text) => window.engineHears(number, text),
      destroy() {},
      on() {},
    }
    engine.kill = () => window.engineHears(number, null)
    window.engineStarts(number, command, args).then(() => engine.emit('spawn'))
    return engine
  }

  const path = {
    join: (...parts) => parts.join('/').replace(/\/+/g, '/'),
    resolve: (...parts) => parts.reduce((a, b) => (b.startsWith('/') ? b : `${a}/${b}`), '/'),
    dirname: (name) => name.replace(/\/[^/]*$/, '') || '/',
    basename: (name) => name.replace(/^.*\//, ''),
    extname: (name) => name.match(/\.[^./]*$/)?.[0] ?? '',
  }
  const fs = {
    readFileSync(name, encoding) {
      const bytes = Bytes.from(reach('read', {name}))
      return encoding ? bytes.toString(encoding) : bytes
    },
    writeFileSync: (name, text) => reach('write', {name}, text),
    existsSync(name) {
      try {
        reach('read', {name})
        return true
      } catch {
        return false
      }
    },
  }
  const quiet = new Proxy(function () {}, {
    get: (target, key) => (key === 'prototype' ? target.prototype : key === Symbol.toPrimitive ? () => '' : quiet),
    apply: () => quiet,
    construct: () => quiet,
  })
  const electron = {
    ipcRenderer: {
      on: (event, handler) => (listeners[event] ??= []).push(handler),
      removeListener() {},
      send() {},
      invoke: nothing,
    },
  }
  const modules = {
    electron,
    fs,
    path,
    child_process: {spawn, exec() {}},
    'fix-path': () => {},
    'iconv-lite': {
      decode: (bytes, encoding) => new TextDecoder(encoding).decode(bytes),
      encodingExists: () => true,
    },
    jschardet: {detect: () => ({encoding: 'UTF-8', confidence: 1})},
    '@sabaki/i18n': {en: {name: 'English', nativeName: 'English', stats: {progress: 1, progressString: '100%', translators: []}}},
  }
  window.require = (name) => modules[name.replace(/^node:/, '')] ?? quiet
  window.process = {
    platform: 'linux',
    env: {SABAKI_E2E: '1'},
    versions: {},
    cwd: () => '/',
    chdir() {},
    nextTick: (f, ...args) => queueMicrotask(() => f(...args)),
  }
  window.global = window

  // Boxes that were shown; page.mjs reads them. What is answered is 0, the first
  // button.
  window.boxes = []
  window.sabaki = {
    setting: {
      get: (key) => settings[key],
      set: async (key, value) => {
        settings[key] = value
        changed.forEach((f) => f({key, value}))
      },
      getThemes: () => ({}),
      loadThemes: async () => ({}),
      themesDirectory: '/nowhere',
      stylesPath: '/nowhere.css',
      userDataDirectory: '/nowhere',
      onDidChange: (f) => {
        changed.push(f)
        return () => {}
      },
    },
    window: new Proxy(
      {
        on: (event, f) => {
          ;(listeners[`window:${event}`] ??= []).push(f)
          return () => {}
        },
        removeListener() {},
        isFullScreen: async () => false,
        isMaximized: async () => false,
        isMinimized: async () => false,
        getContentSize: async () => [innerWidth, innerHeight],
        getId: async () => 1,
      },
      {get: (target, key) => target[key] ?? nothing},
    ),
    webContents: new Proxy({}, {get: () => nothing}),
    dialog: {
      showMessageBox: async (options) => {
        window.boxes.push(options.message ?? JSON.stringify(options))
        return {response: 0}
      },
      showOpenDialog: async () => ({canceled: true, filePaths: []}),
      showSaveDialog: async () => ({canceled: true}),
    },
    menu: {popup() {}},
    app: {getName: async () => 'Sabaki', getVersion: async () => '0.60', quit() {}, cancelQuit() {}},
    shell: new Proxy({}, {get: () => nothing}),
    clipboard: {readText: async () => '', writeText: nothing},
    getPathForFile: (file) => file.name,
  }
})()
