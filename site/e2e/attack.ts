/** A call that changes something, or that only the administrator may make. */
export type TargetCall = { method: string; path: string; body?: Record<string, unknown> }

/** What a page of another site could read. */
type Leaks = string[]

// Each function runs in the attacker's page: it can only use its arguments and what a browser offers.

/** Posts forms into frames, with every content type; resolves once every frame has loaded. */
export async function postForms({ target, calls }: { target: string; calls: TargetCall[] }): Promise<void> {
  const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']
  const addresses = calls.flatMap(({ path, body = {} }) =>
    enctypes.map((enctype) => ({ enctype, body, url: target + path })),
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

/** Fetches with cookies, with and without CORS, as JSON and as what needs no leave; and sends beacons. */
export async function fetchAll({ target, calls }: { target: string; calls: TargetCall[] }): Promise<Leaks> {
  const leaks: Leaks = []
  const types = ['application/json', 'text/plain']
  const attempts = calls.flatMap(({ method, path, body }) => {
    const own = { method, path, body: method === 'GET' ? null : JSON.stringify(body ?? {}) }
    const methods = method === 'PATCH' || method === 'DELETE' ? [own, { ...own, method: 'POST' }] : [own]
    return methods.flatMap((attempt) => types.map((type) => ({ ...attempt, type })))
  })
  async function attempt(mode: RequestMode, { method, path, body, type }: (typeof attempts)[number]) {
    try {
      const headers = { 'Content-Type': type }
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
