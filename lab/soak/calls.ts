/** What a visitor or an administrator asks for. */
export type Call = {
  call: string
  json?: unknown
  form?: string
  /** As the administrator who is signed in. */
  signedIn?: true
  expected: number[]
}

/** Whose answers are erased one after the other, so that there are never too many. */
export const EMAILS = Array.from({ length: 20 }, (_, number) => `${number}@visitor.example`)
const SPREAD = 37

/** Ids of answers that nobody has deleted yet. */
export class Stored {
  readonly ids: number[] = []
  private made = 0

  next(): number {
    return this.made++
  }
}

/** Of 100 calls so many are of each kind. The same hundred again and again: no step does other work than another. */
const kinds: [number, (stored: Stored) => Call][] = [
  [14, () => get('/')],
  [16, () => get('/share')],
  [2, () => get('/privacy')],
  [3, () => ({ ...get('/admin'), signedIn: true })],
  [2, () => get('/admin', 401)],
  [2, () => get('/nobody/knows', 404)],
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
  [10, (stored) => ({ call: 'POST /api/rsvp', json: makeAnswer(stored.next()), expected: [201] })],
  [2, (stored) => ({ call: 'POST /api/rsvp', form: makeForm(stored.next()), expected: [303] })],
  [2, () => ({ call: 'POST /api/rsvp', json: { name: '', familyMembers: [{}] }, expected: [400] })],
  [1, () => ({ call: 'POST /api/event', json: makeEvent(), signedIn: true, expected: [200, 201, 204] })],
  // Meanwhile the command line may have erased it.
  [7, ({ ids }) => ({ call: `DELETE /api/rsvps/${ids.shift() ?? 1}`, signedIn: true, expected: [204, 404] })],
]

const hundred = kinds.flatMap(([times, make]) => Array(times).fill(make) as (typeof make)[])
if (hundred.length !== 100) throw new Error('The numbers of calls do not add up to a hundred.')

/** The calls in their order, which mixes the kinds: the stride meets each of the hundred once. */
export function makeCall(number: number, stored: Stored): Call {
  const make = hundred[(number * SPREAD) % hundred.length] ?? (() => get('/'))
  return make(stored)
}

function get(path: string, status = 200): Call {
  return { call: `GET ${path}`, expected: [status] }
}

function makeAnswer(number: number) {
  const name = `Visitor ${number}`
  return {
    name,
    email: EMAILS[number % EMAILS.length],
    message: 'We look forward to it. '.repeat(number % 20),
    attending: number % 5 !== 0,
    familyMembers: Array.from({ length: number % 4 }, (_, place) => ({ name: `${name} Junior ${place}` })),
    volunteerRoles: [1 + (number % 6)],
  }
}

function makeForm(number: number): string {
  const email = EMAILS[number % EMAILS.length] ?? ''
  return new URLSearchParams({ page: '/share', attending: 'true', name: `Visitor ${number}`, email }).toString()
}

/** A change that makes every page new. */
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
