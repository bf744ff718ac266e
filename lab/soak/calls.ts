import { Random } from '../random.ts'
import { makeRsvp } from '../rsvp.ts'

/** A request of a visitor or an administrator. */
export type SoakRequest = {
  /** Method and path. */
  call: string
  json?: unknown
  form?: string
  /** With the administrator's session. */
  signedIn?: true
  expected: number[]
}

/** RSVPs of these addresses are erased one address after the other, so that there are never too many. */
export const EMAILS = Array.from({ length: 20 }, (_, number) => `${number}@visitor.example`)
/** Has no factor in common with 100, so that each of the hundred comes once. */
const STRIDE = 37

/** Ids of RSVPs that no request has deleted yet. */
export class Stored {
  readonly ids: number[] = []
  private made = 0

  next(): number {
    return this.made++
  }
}

/** How many of 100 requests are of each kind. The hundred repeats, so that each step does the same work. */
const kinds: [number, (stored: Stored) => SoakRequest][] = [
  [14, () => get('/')],
  [16, () => get('/share')],
  [2, () => get('/privacy')],
  [3, () => ({ ...get('/admin'), signedIn: true })],
  [2, () => get('/admin', 401)],
  [2, () => get('/no/such/page', 404)],
  [5, () => get('/favicon.svg')],
  [6, () => get('/api/event')],
  [6, () => get('/api/features')],
  [6, () => get('/api/volunteer-roles')],
  [4, () => get('/api/health')],
  [4, () => get('/api/session')],
  [5, () => ({ ...get('/api/rsvps?limit=200'), signedIn: true })],
  [1, () => get('/api/rsvps')],
  [1, () => ({ ...get('/api/rsvps'), signedIn: true })],
  [1, () => ({ ...get('/api/rsvps/download'), signedIn: true })],
  [10, (stored) => ({ call: 'POST /api/rsvp', json: makeBody(stored.next()), expected: [201] })],
  [2, (stored) => ({ call: 'POST /api/rsvp', form: makeForm(stored.next()), expected: [303] })],
  [2, () => ({ call: 'POST /api/rsvp', json: { name: '', familyMembers: [{}] }, expected: [400] })],
  [1, () => ({ call: 'POST /api/event', json: makeEvent(), signedIn: true, expected: [200, 201, 204] })],
  // 404: the command line may have erased it.
  [7, ({ ids }) => ({ call: `DELETE /api/rsvps/${ids.shift() ?? 1}`, signedIn: true, expected: [204, 404] })],
]

const hundred = kinds.flatMap(([times, make]) => Array(times).fill(make) as (typeof make)[])
if (hundred.length !== 100) throw new Error('The numbers of requests do not add up to a hundred.')

/** The requests in an order that mixes the kinds. */
export function makeRequest(number: number, stored: Stored): SoakRequest {
  const make = hundred[(number * STRIDE) % hundred.length] ?? (() => get('/'))
  return make(stored)
}

function get(path: string, status = 200): SoakRequest {
  return { call: `GET ${path}`, expected: [status] }
}

function makeBody(number: number) {
  const body = makeRsvp(`visitor-${number}`, new Random(number % EMAILS.length))
  return { ...body, email: EMAILS[number % EMAILS.length] }
}

function makeForm(number: number): string {
  const email = EMAILS[number % EMAILS.length] ?? ''
  return new URLSearchParams({ page: '/share', attending: 'true', name: `Visitor ${number}`, email }).toString()
}

/** A change that invalidates every cached page. */
function makeEvent() {
  return {
    title: 'Worship service',
    subtitle: `Changed at ${new Date().toISOString()}`,
    description: 'All are welcome.',
    date: 'Every Saturday',
    time: '10:00 AM',
    location: '123 Main Street, Springfield',
  }
}
