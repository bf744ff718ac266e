// Whether the limit on answers counts who asks, or all of them together, and whether anybody can pretend.
import { tried } from './tried.mjs'

const ALLOWED = 60
/** While so many are sent, some of the allowance comes back, but never as much. */
const TOO_MANY = 30

/** With TRUSTED_PROXIES. */
export const ownAllowance = { 'each has an allowance': eachTheirOwn, 'nobody pretends': pretending }
/** Without. */
export const sharedAllowance = { 'alone: all share one': allShareOne, 'alone: nobody pretends': pretending }

async function eachTheirOwn({ ask }) {
  const found = []
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    const first = await post(ask, ALLOWED, { from })
    const more = await post(ask, TOO_MANY, { from })
    if (first.some((status) => status !== 201)) found.push(`${from}: ${tally(first)} of the first ${ALLOWED}`)
    if (!more.includes(429)) found.push(`${from}: ${tally(more)} of those that are too many`)
  }
  return found
}

async function allShareOne({ ask }) {
  const first = await post(ask, ALLOWED, { from: '127.0.0.2' })
  const more = await post(ask, TOO_MANY, { from: '127.0.0.3' })
  if (first.some((status) => status !== 201)) return [`${tally(first)} of the first ${ALLOWED}`]
  return more.includes(429) ? [] : [`${tally(more)} of somebody else's`]
}

/** Somebody whose allowance is used up says that he is others, a different one each time. */
function pretending({ ask }) {
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
  return tried(Object.keys(ways), async (way) => {
    const before = await post(ask, TOO_MANY, { from: '127.0.0.2' })
    if (!before.includes(429)) return 'the allowance was not used up'
    const answers = await post(ask, TOO_MANY, { from: '127.0.0.2', headersOf: (n) => ways[way](`203.0.113.${n + 1}`) })
    return answers.includes(429) ? undefined : `${tally(answers)} of those that are too many`
  })
}

/** The statuses of so many answers, ten at a time. */
async function post(ask, count, { from, headersOf = () => ({}) }) {
  const statuses = []
  for (let sent = 0; sent < count; sent += 10) {
    const group = Array.from({ length: 10 }, async (_, index) => {
      const json = { name: `Ana ${sent + index}`, email: 'ana@example.org', attending: true }
      const { status, headers } = await ask('POST /api/rsvp', { from, json, headers: headersOf(sent + index) })
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
