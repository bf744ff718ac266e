// Malicious addresses, names and headers: one layer may read them in one way and the next in another.

import { findFailures, secret } from './attempts.mjs'
import { name } from './start.mjs'

export const addressChecks = {
  'addresses in disguise': disguises,
  'deleting in disguise': deletions,
  'other names': names,
  'large headers': largeHeaders,
  'upgrades and hops': upgrades,
}

/** Disguises of each of these paths. */
const disguised = [
  ...['/admin', '/api/rsvps/download', '/api/settings', '/api/rsvps?email=canary@secret.example'].flatMap((path) => [
    path,
    ...[`${path}/`, `${path}//`, `/${path}`, `//${path}`, `/.${path}`, `/share/..${path}`, `/share/%2e%2e${path}`],
    ...[`/share/..%2f${path.slice(1)}`, `/share%2f..${path}`, `/\\${path.slice(1)}`, `/%5c${path.slice(1)}`],
    ...[
      `/share\\..${path}`,
      `/share/..;${path}`,
      `/;x${path}`,
      `${path};x=1`,
      `${path}%3b`,
      `${path}%2f`,
      `${path}%20`,
    ],
    ...[`${path}%09`, `${path}%00`, `${path}%0a`, `${path}#x`, `${path}?x`, path.toUpperCase(), path.slice(1)],
    ...[path.replace('a', '%61'), path.replace('a', '%2561'), path.replace('a', '%41'), path.replace('a', '%c1%a1')],
    ...[`http://rsvp.example.org${path}`, `http://localhost${path}`, `//localhost${path}`, `/x/../..${path}`],
  ]),
]

/** A visitor never gets the administration, whatever the proxy makes of the address. */
function disguises({ send }) {
  const calls = disguised.flatMap((path) => [`GET ${path}`, `POST ${path}`])
  const hidden = ['x-original-url', 'x-rewrite-url', 'x-http-method-override', 'x-original-uri', 'x-forwarded-uri']
  const told = Object.fromEntries(hidden.map((header) => [header, '/admin']))
  return findFailures([...calls, 'GET /share with headers'], async (call) => {
    return findLeak(await send(call, { headers: call.endsWith('with headers') ? told : {} }))
  })
}

function findLeak({ status, text }) {
  if (status >= 500) return `${status}`
  if (text.includes(secret)) return 'shows what is not for visitors'
  return /Download CSV|publicNames/.test(text) ? 'shows the administration' : undefined
}

async function deletions({ send, cookie, stored }) {
  const [path, last] = [`/api/rsvps/${stored}`, `/${stored}`]
  const paths = [`${path}`, `${path}/`, `/${path}`, `/.${path}`, `/share/..${path}`, `/share/%2e%2e${path}`]
  const more = [`/api/rsvps/x%2f..${last}`, `/api/rsvps/x\\..${last}`, `${path};x`, `${path}#x`, `${path}%00`]
  const calls = [...paths, ...more].flatMap((one) => [`DELETE ${one}`, `POST ${one}/restore`])
  const found = await findFailures(calls, async (call) => {
    const { status } = await send(call, { headers: { 'x-http-method-override': 'DELETE' } })
    // A redirect drops the slash at the end; the address that it leads to is refused.
    return status < 300 || status >= 500 ? `${status}` : undefined
  })
  const { text } = await send('GET /api/rsvps?limit=1000', { headers: { cookie } })
  return text.includes(secret) ? found : [...found, 'the RSVP is gone']
}

/** The proxy or the site refuses a foreign host name. The site's own name with a port is refused or served. */
function names({ send, tellsClient }) {
  const foreign = ['evil.example', 'rsvp.example.org.evil.example', 'evil.example:80', 'rsvp.example.org@evil.example']
  const own = [`${name}:80`, `${name}:443`, name.toUpperCase(), `${name}.`]
  return findFailures([...foreign, ...own], async (host) => {
    const { status, text } = await send('GET /share', { headers: { host } })
    if (status >= 500) return `${status}`
    if (text.includes('evil.example')) return 'a foreign name is in the page'
    // A proxy that does not forward the client serves every name.
    return tellsClient && foreign.includes(host) && status < 400 && text !== '' ? `${status}` : undefined
  })
}

/** Headers within the site's limit pass. The proxy or the site refuses larger ones, without a server error. */
function largeHeaders({ send }) {
  return findFailures([6, 9, 30, 70, 200], async (size) => {
    const { status } = await send('GET /share', { headers: { 'x-large': 'x'.repeat(size * 1000) } })
    const wanted = size < 8 ? [200] : [400, 413, 431, 494]
    return wanted.includes(status) ? undefined : `${status}`
  })
}

function upgrades({ send }) {
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
  const headers = {
    websocket: { connection: 'Upgrade', upgrade: 'websocket', ...key },
    h2c: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' },
    hops: { connection: 'close, Cookie, Host, Content-Length, Origin, Sec-Fetch-Site' },
    te: { connection: 'close, TE', te: 'trailers' },
  }
  const calls = Object.keys(headers).flatMap((kind) =>
    ['/share', '/admin', '/api/rsvps/download'].map((path) => `${kind} ${path}`),
  )
  return findFailures(calls, async (call) => {
    const [kind, path] = call.split(' ')
    const reply = await send(`GET ${path}`, { headers: headers[kind] })
    if (reply.status === 101) return 'the connection was upgraded'
    return findLeak(reply) ?? (path === '/share' && reply.status !== 200 ? `${reply.status}` : undefined)
  })
}
