// The checks that run through every proxy. Each returns its findings in sentences.
import { addressChecks } from './addresses.mjs'
import { findFailures, password } from './attempts.mjs'
import { asLocalhost, byName } from './setups.mjs'

/** Without a password the site serves only its own computer, so it refuses requests through a proxy. */
export const openChecks = { [byName]: refusedByName, [asLocalhost]: refusedAsLocalhost }

export const guardedChecks = {
  pages: pages,
  'sending an RSVP': posting,
  'sign-in and sign-out': session,
  'a list of 2,000': download,
  ...addressChecks,
}

function refusedByName(through) {
  return refused(through, {})
}

/** A client can send `Host: localhost`, and a Connection header that makes the proxy drop its own headers. */
async function refusedAsLocalhost(through) {
  const hiding = { connection: 'close, x-forwarded-for, x-forwarded-proto, x-forwarded-host, via, forwarded' }
  const found = [
    await refused(through, { host: 'localhost' }),
    await refused(through, { host: 'localhost', ...hiding }),
  ]
  return found.flat()
}

async function refused({ send }, headers) {
  const calls = [
    'GET /',
    'GET /admin',
    'GET /api/rsvps',
    'GET /api/rsvps/download',
    'POST /api/rsvp',
    'DELETE /api/rsvps/1',
  ]
  // Caddy itself sends an empty reply for an unknown name.
  return findFailures(calls, async (call) => {
    const { status, text } = await send(call, { headers })
    return status === 421 || text === '' ? undefined : `${status} instead of 421`
  })
}

async function pages({ send, https }) {
  const asset = /\/assets\/[\w.-]+\.css/.exec((await send('GET /share')).text)?.[0]
  const wanted = {
    'GET /': [200, 'text/html; charset=utf-8'],
    'GET /share': [200, 'text/html; charset=utf-8'],
    'HEAD /share': [200, 'text/html; charset=utf-8'],
    'GET /privacy': [200, 'text/html; charset=utf-8'],
    [`GET ${asset}`]: [200, 'text/css; charset=utf-8'],
    'GET /api/event': [200, 'application/json'],
    'GET /nope': [404, 'text/html; charset=utf-8'],
    'GET /.env': [404, 'text/html; charset=utf-8'],
    'GET /api/nope': [404, 'application/problem+json'],
    'PUT /api/rsvp': [405, 'application/problem+json'],
    'GET /admin': [401, 'text/html; charset=utf-8'],
    'GET /api/rsvps/download': [401, 'application/problem+json'],
  }
  return findFailures(Object.keys(wanted), async (call) => {
    const { status, headers } = await send(call, { headers: { 'accept-encoding': 'identity' } })
    const got = [status, headers['content-type']]
    if (String(got) !== String(wanted[call])) return `${got} instead of ${wanted[call]}`
    if (headers['content-security-policy'] === undefined) return 'no Content-Security-Policy'
    if (https && headers['strict-transport-security'] === undefined) return 'no Strict-Transport-Security'
  })
}

async function posting({ send, origin }) {
  const json = { name: 'Ana Cole', email: 'ana@example.org', attending: true }
  const form = new URLSearchParams({ ...json, attending: 'true', page: '/share' })
  const own = { origin, 'sec-fetch-site': 'same-origin' }
  const replies = [
    ['as JSON', 201, await send('POST /api/rsvp', { json, headers: own })],
    ['as a form', 303, await send('POST /api/rsvp', { form, headers: own })],
    ['from another site', 403, await send('POST /api/rsvp', { json, headers: { origin: 'https://evil.example' } })],
    ['compressed', 415, await send('POST /api/rsvp', { json, headers: { 'content-encoding': 'gzip' } })],
  ]
  const found = replies.flatMap(([what, wanted, { status }]) =>
    status === wanted ? [] : [`${what}: ${status} instead of ${wanted}`],
  )
  // Ten times: a proxy that is still sending when the connection ends may miss the reply.
  const large = Array.from({ length: 10 }, (_, index) => `too large, try ${index + 1}`)
  const lost = await findFailures(large, async () => {
    const { status } = await send('POST /api/rsvp', { body: 'x'.repeat(900_000), headers: own })
    return status === 413 ? undefined : `${status} instead of 413`
  })
  found.push(...lost)
  const { location = '' } = replies[1][2].headers
  return location.startsWith('/share?thanks') ? found : [...found, `the form leads to "${location}"`]
}

async function session({ send, https, origin }) {
  const signIn = await send('POST /api/session', { json: { password }, headers: { origin } })
  const cookies = signIn.headers['set-cookie'] ?? []
  const wanted = https
    ? /^__Host-rsvp-\w+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/
    : /^rsvp-\w+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/
  const [cookie = ''] = cookies.filter((text) => text.includes('rsvp-session='))
  const headers = { cookie: cookie.split(';')[0] }
  const admin = async () => (await send('GET /admin', { headers })).status
  const steps = [
    ['sign-in', 204, signIn.status],
    ['the administration', 200, await admin()],
    ['sign-out', 204, (await send('DELETE /api/session', { headers })).status],
    ['the administration afterwards', 401, await admin()],
    ['a wrong password', 401, (await send('POST /api/session', { json: { password: 'a wrong password' } })).status],
  ]
  const found = steps.flatMap(([what, wanted, got]) => (got === wanted ? [] : [`${what}: ${got} instead of ${wanted}`]))
  const odd = [cookie, ...cookies].filter((text) => !wanted.test(text))
  return [...found, ...odd.map((text) => `a cookie is "${text.replace(/=[\w-]{43}/, '=…')}"`)]
}

/** The reader pauses after the first piece, so that the rest is buffered on the way. */
async function download({ send, cookie }) {
  const { status, text, headers } = await send('GET /api/rsvps/download', { headers: { cookie }, pause: 500 })
  const lines = text.split('\r\n').length
  const found = status === 200 && lines > 2000 && text.endsWith('\r\n') ? [] : [`${status} with ${lines} lines`]
  return headers['content-length'] === undefined ? found : [...found, 'the proxy buffered all of it']
}
