import { type AgeGroup, ageGroups } from '#db/values/rsvp.ts'
import { below, chance, pick } from './random.ts'

/** The ways in which a promise can be broken. */
export const kinds = ['lost', 'half-written', 'double', 'foreign', 'damaged', 'failure'] as const
export type Finding = { kind: (typeof kinds)[number]; text: string }

/** The body of `POST /api/rsvp`. It must be stored with exactly these values. */
export type RsvpBody = {
  name: string
  /** Starts with the token of the RSVP, so that a stored row tells where it comes from. */
  email: string
  phone: string | null
  message: string | null
  attending: boolean
  familyMembers: { name: string; age: AgeGroup | null; attending: boolean }[]
  volunteerRoles: number[]
}

/** An RSVP as it is sent, and the replies to it. */
export type SentRsvp = {
  token: string
  key?: string | undefined
  body: RsvpBody
  /** What may be stored: the body or its last acknowledged change, then changes that may still take effect. */
  versions: RsvpBody[]
  /** Only one client at a time: of two changes it is unknown which came last. */
  changing: boolean
  /** The key of its private link. */
  link?: string
  withdrawn?: 'asked' | 'acknowledged'
  times: number
  /** How many of these times it was certainly not stored. */
  refused: number
  /** From the reply that acknowledged it, or as it was found in the database: from then on it has to stay. */
  id?: number
}

const ROLES = [1, 2, 3, 4, 5, 6]
const LONGEST_MESSAGE = 1900

/** What clients have asked of one database, and the replies. A request without a reply may be stored or not. */
export class Ledger {
  readonly rsvps = new Map<string, SentRsvp>()
  /** Findings of the clients, without reading the database. */
  readonly findings: Finding[] = []
  /** How often each kind of request, and each other event, had each outcome. */
  readonly outcomes = new Map<string, number>()
  private readonly linked: SentRsvp[] = []

  count(outcome: string, times = 1): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times)
  }

  newRsvp(): SentRsvp {
    const token = `visitor-${this.rsvps.size + 1}`
    const body = makeRsvp(token)
    const rsvp: SentRsvp = {
      token,
      key: chance(0.5) ? `key-of-${token}` : undefined,
      body,
      versions: [body],
      changing: false,
      times: 0,
      refused: 0,
    }
    this.rsvps.set(token, rsvp)
    return rsvp
  }

  acknowledge(rsvp: SentRsvp, id: number, link?: string): void {
    const text = `${rsvp.token} is acknowledged as ${id}, and was ${rsvp.id} before`
    if ((rsvp.id ?? id) !== id) this.findings.push({ kind: 'double', text })
    rsvp.id = id
    if (rsvp.link === undefined && link !== undefined) this.linked.push(rsvp)
    rsvp.link ??= link
  }

  /** One that was acknowledged and that no client changes or withdraws; undefined if the chosen one is not such. */
  changeable(): SentRsvp | undefined {
    const rsvp = this.linked.length === 0 ? undefined : pick(this.linked)
    return rsvp?.changing || rsvp?.withdrawn ? undefined : rsvp
  }

  askToChange(rsvp: SentRsvp): RsvpBody {
    const version = makeRsvp(rsvp.token)
    rsvp.versions.push(version)
    rsvp.changing = true
    return version
  }

  /** A change without a reply may still take effect, even after a later one that was acknowledged. */
  changed(rsvp: SentRsvp, isAcknowledged: boolean): void {
    rsvp.changing = false
    if (isAcknowledged && rsvp.versions.length === 2) rsvp.versions.shift()
  }

  /** What is known now, to judge a copy of the disk that is made at this moment. */
  snapshot(): Ledger {
    const copy = new Ledger()
    for (const [token, rsvp] of this.rsvps) copy.rsvps.set(token, { ...rsvp, versions: [...rsvp.versions] })
    return copy
  }
}

/** An RSVP of any shape: with and without family members and roles, short and long, and unlike any other. */
function makeRsvp(token: string): RsvpBody {
  const members = chance(0.7) ? below(5) : 0
  const padding = 'x'.repeat(chance(0.2) ? below(LONGEST_MESSAGE) : 0)
  return {
    name: `Visitor ${below(1e9)}`,
    email: `${token}@visitor.example`,
    phone: chance(0.3) ? `+1 555 ${below(10_000)}` : null,
    message: chance(0.8) ? `To ${token}. ${padding}`.trim() : null,
    attending: chance(0.8),
    familyMembers: Array.from({ length: members }, (_, position) => ({
      name: `Member ${position} of ${token}`,
      age: pick([...ageGroups, null]),
      attending: chance(0.9),
    })),
    volunteerRoles: ROLES.filter(() => chance(0.3)),
  }
}
