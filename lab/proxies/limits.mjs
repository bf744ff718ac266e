// Checks whether the limit on RSVPs counts each client or all together, and whether a client can pretend to be another.
import { findFailures } from './attempts.mjs'

const ALLOWED = 60
/** More than the allowance regains while they are sent. */
const EXCESS = 30

/** With TRUSTED_PROXIES. */
export const ownAllowance = { 'each client has an allowance': oneForEach, 'no client can pretend': pretending }
/** Without TRUSTED_PROXIES. */
export const sharedAllowance = { 'untrusted: all share one': oneForAll, 'untrusted: no client can pretend': pretending }

async function oneForEach({ send }) {
  const found = []
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    const first = await post(send, ALLOWED, { from })
    const more = await post(send, EXCESS, { from })
    if (first.some((status) => status !== 201)) found.push(`${from}: ${tally(first)} of the first ${ALLOWED}`)
    if (!more.includes(429)) found.push(`${from}: ${tally(more)} of the excess`)
  }
  return found
}

async function oneForAll({ send }) {
  const first = await post(send, ALLOWED, { from: '127.0.0.2' })
  const more = await post(send, EXCESS, { from: '127.0.0.3' })
  if (first.some((status) => status !== 201)) return [`${tally(first)} of the first ${ALLOWED}`]
  return more.includes(429) ? [] : [`${tally(more)} of another client's`]
}

/** A client whose allowance is used up claims another address each time. */
function pretending({ send }) {
  const ways = {
    'x-forwarded-for': (address) => ({ 'x-forwarded-for': address }),
    'a list': (address) => ({ 'x-forwarded-for': `${address}, 127.0.0.1` }),
    'an empty end': (address) => ({ 'x-forwarded-for': `${address},` }),
    'two headers': (address) => ({ 'x-forwarded-for': [address, address] }),
    underlined: (address) => ({ x_forwarded_for: address }),
    dropped: (address) => ({ 'x-forwarded-for': address, connection: 'close, x-forwarded-for' }),
    forwarded: (address) => ({ forwarded: `for=${address}` }),
    'x-real-ip': (address) => ({ 'x-real-ip': address, 'x-client-ip': address, 'true-client-ip': address }),
  }
  return findFailures(Object.keys(ways), async (way) => {
    const before = await post(send, EXCESS, { from: '127.0.0.2' })
    if (!before.includes(429)) return 'the allowance was not used up'
    const statuses = await post(send, EXCESS, { from: '127.0.0.2', headersOf: (n) => ways[way](`203.0.113.${n + 1}`) })
    return statuses.includes(429) ? undefined : `${tally(statuses)} of the excess`
  })
}

/** Sends RSVPs, ten at a time. @returns their statuses. */
async function post(send, count, { from, headersOf = () => ({}) }) {
  const statuses = []
  for (let sent = 0; sent < count; sent += 10) {
    const group = Array.from({ length: 10 }, async (_, index) => {
      const json = { name: `Ana ${sent + index}`, email: 'ana@example.org', attending: true }
      const { status, headers } = await send('POST /api/rsvp', { from, json, headers: headersOf(sent + index) })
      return status === 429 && !headers['retry-after'] ? '429 without Retry-After' : status
    })
    statuses.push(...(await Promise.all(group)))
  }
  return statuses
}

function tally(statuses) {
  const kinds = [...new Set(statuses)]
  return kinds.map((kind) => `${statuses.filter((status) => status === kind).length} × ${kind}`).join(', ')
}
