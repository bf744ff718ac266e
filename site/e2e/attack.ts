/** A call that changes something, or that only the administrator may make. */
export type TargetCall = { method: string; path: string; body?: Record<string, unknown> }

/** What a page of another site could read. */
type Leaks = string[]

// Each function runs in the attacker's page: it can only use its arguments and what a browser offers.

/** Posts forms into frames, with every content type and method override; resolves once every frame has loaded. */
export async function postForms({ target, calls }: { target: string; calls: TargetCall[] }): Promise<void> {
  const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']
  const addresses = calls.flatMap(({ method, path, body = {} }) =>
    enctypes.flatMap((enctype) => [
      { enctype, body, url: target + path },
      { enctype, body, url: `${target}${path}?_method=${method}` },
    ]),
  )
  const posted = addresses.map(({ enctype, body, url }, position) => {
    const frame = document.createElement('iframe')
    frame.name = `reply-${position}`
    document.body.append(frame)
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    const form = document.createElement('form')
    form.method = 'post'
    form.action = url
    form.enctype = enctype
    form.target = frame.name
    const json = JSON.stringify(body)
    const fields =
      enctype === 'text/plain'
        ? // Together they read as JSON: {…,"padding":"="}
          { [`${json === '{}' ? '{' : `${json.slice(0, -1)},`}"padding":"`]: '"}' }
        : { ...body, _method: 'DELETE', action: 'sign-out', page: '/' }
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = name
      input.value = String(value)
      form.append(input)
    }
    document.body.append(form)
    form.submit()
    return loaded
  })
  await Promise.all(posted)
}

/** Fetches with cookies, with and without CORS, with every content type; and sends beacons. */
export async function fetchAll({ target, calls }: { target: string; calls: TargetCall[] }): Promise<Leaks> {
  const leaks: Leaks = []
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const attempts = calls.flatMap(({ method, path, body }) => {
    const text = method === 'GET' ? null : JSON.stringify(body ?? {})
    const own = { method, path, body: text }
    const methods = method === 'GET' ? [own] : [own, { ...own, method: 'POST' }, { ...own, method: 'PUT' }]
    return methods.flatMap((attempt) => types.map((type) => ({ ...attempt, type })))
  })
  async function attempt(mode: RequestMode, { method, path, body, type }: (typeof attempts)[number]) {
    const override: Record<string, string> =
      mode === 'cors' && type === 'application/json' ? { 'X-HTTP-Method-Override': 'DELETE' } : {}
    try {
      const headers = { 'Content-Type': type, ...override }
      const reply = await fetch(target + path, { method, mode, body, headers, credentials: 'include' })
      const text = await reply.text()
      if (reply.type !== 'opaque' || text !== '') leaks.push(`${mode} ${method} ${path}: ${reply.status} ${text}`)
    } catch {
      // As it should be: the browser does not let the page read the reply.
    }
  }
  await Promise.all(attempts.flatMap((each) => [attempt('cors', each), attempt('no-cors', each)]))
  for (const { path, body } of calls) {
    for (const type of types) navigator.sendBeacon(target + path, new Blob([JSON.stringify(body ?? {})], { type }))
  }
  return leaks
}

/** Embeds each address with every element that loads one; returns what was loaded, and what fired no event. */
export async function embedAll({ target, paths }: { target: string; paths: string[] }): Promise<Leaks> {
  const leaks: Leaks = []
  const kinds: Record<string, Record<string, string>> = {
    img: {},
    script: {},
    'link stylesheet': { rel: 'stylesheet' },
    'link prefetch': { rel: 'prefetch' },
    'link preload': { rel: 'preload', as: 'fetch', crossorigin: 'use-credentials' },
    'link modulepreload': { rel: 'modulepreload', crossorigin: 'use-credentials' },
    audio: {},
    video: {},
    track: {},
    embed: {},
    object: {},
  }
  // An element that fires no event by then is reported, so that the failing test names it.
  const EVENT_TIMEOUT_MS = 30_000
  const alsoLoadErrors = new Set(['embed', 'object'])
  const attempts = Object.entries(kinds).flatMap(([kind, attributes]) =>
    paths.map((path) => {
      const element = document.createElement(kind.split(' ')[0] ?? '')
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      const source = kind.startsWith('link') ? 'href' : kind === 'object' ? 'data' : 'src'
      element.setAttribute(source, target + path)
      const done = new Promise<undefined>((resolve) => {
        for (const type of ['load', 'loadeddata']) {
          element.addEventListener(type, () => {
            // These also load when the server replies with an error.
            if (!alsoLoadErrors.has(kind)) leaks.push(`${kind} ${path}`)
            resolve(undefined)
          })
        }
        element.addEventListener('error', () => resolve(undefined))
      })
      document.body.append(element instanceof HTMLTrackElement ? videoWith(element) : element)
      const silent = new Promise<string>((resolve) =>
        setTimeout(() => resolve(`${kind} ${path}: no event`), EVENT_TIMEOUT_MS),
      )
      return Promise.race([done, silent])
    }),
  )
  // A track is loaded only if it belongs to a video and is not disabled.
  function videoWith(track: HTMLTrackElement) {
    const video = document.createElement('video')
    video.append(track)
    track.track.mode = 'hidden'
    return video
  }
  const silent = (await Promise.all(attempts)).filter((attempt) => attempt !== undefined)
  return [...leaks, ...silent]
}

/** Opens the addresses in windows. */
export function openAll({ target, paths }: { target: string; paths: string[] }): (Window | null)[] {
  return paths.map((path) => window.open(target + path))
}

/** Tries to read the windows; returns what could be read. */
export function readAll(windows: (Window | null)[]): Leaks {
  return windows.flatMap((opened) => {
    try {
      return opened?.document.body ? [opened.document.documentElement.outerHTML] : []
    } catch {
      // As it should be: a window of another origin.
      return []
    }
  })
}

/** Shows the address in a frame, and resolves once that has loaded, whatever it shows. */
export function showInFrame(url: string): Promise<unknown> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = 'ours'
    frame.addEventListener('load', resolve)
    frame.src = url
    document.body.replaceChildren(frame)
  })
}
