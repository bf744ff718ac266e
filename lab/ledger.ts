import { type AgeGroup, ageGroups } from '#db/rsvp/schema.ts'
import type { Random } from './random.ts'

/** The ways in which a promise can be broken. */
export const kinds = ['lost', 'half-written', 'double', 'foreign', 'damaged', 'bad copy', 'failure'] as const
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
  key: string | undefined
  /** Entered by an administrator: it has no private link. */
  entered: boolean
  body: RsvpBody
  /** The body, then its changes in the order of their requests. */
  versions: RsvpBody[]
  /** The index of the oldest version that may still be stored. */
  oldest: number
  /** A change without a reply may still take effect after one that was acknowledged. */
  doubtful: boolean
  /** Only one client at a time: of two changes it is unknown which came last. */
  changing: boolean
  /** The key of its private link. */
  link: string | undefined
  times: number
  /** How many of these times it was certainly not stored. */
  refused: number
  /** The ids in the replies that acknowledged it. */
  ids: number[]
  /** The id under which it was found in the database: from then on it has to stay. */
  storedAs: number | undefined
}

const ROLES = [1, 2, 3, 4, 5, 6]
const LONGEST_MESSAGE = 1900

/** What clients have asked of one database, and the replies. A request without a reply may be stored or not. */
export class Ledger {
  readonly rsvps = new Map<string, SentRsvp>()
  /** By the id of an RSVP that a client asked to delete: whether the deletion is acknowledged. */
  readonly deletions = new Map<number, boolean>()
  /** RSVPs of imported files: of each, all are stored or none. */
  readonly imports: { rsvps: SentRsvp[]; acknowledged: boolean }[] = []
  /** Findings of the clients, without reading the database. */
  readonly findings: Finding[] = []
  /** How often each kind of request had each outcome. */
  readonly outcomes = new Map<string, number>()
  private readonly acknowledgedIds: number[] = []
  private readonly byId = new Map<number, SentRsvp>()

  count(outcome: string, times = 1): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times)
  }

  complain(text: string): void {
    this.findings.push({ kind: 'failure', text })
  }

  /** How many RSVPs a reply has acknowledged, some of them more than once. */
  get acknowledged(): number {
    return this.rsvps.values().reduce((count, { ids }) => count + Number(ids.length > 0), 0)
  }

  /**
   * @param keyed how many of them are sent with an idempotency key.
   * @param entered how many an administrator enters.
   */
  newRsvp(random: Random, { keyed = 0.5, entered = 0 } = {}): SentRsvp {
    const token = `visitor-${this.rsvps.size + 1}`
    const isKeyed = random.chance(keyed)
    const isEntered = random.chance(entered)
    const body = makeRsvp(token, random)
    const rsvp: SentRsvp = {
      token,
      key: isKeyed ? keyOf(token) : undefined,
      entered: isEntered,
      body,
      versions: [body],
      oldest: 0,
      doubtful: false,
      changing: false,
      link: undefined,
      times: 0,
      refused: 0,
      ids: [],
      storedAs: undefined,
    }
    this.rsvps.set(token, rsvp)
    return rsvp
  }

  acknowledge(rsvp: SentRsvp, id: number): void {
    const { ids, token } = rsvp
    if (ids.some((other) => other !== id))
      this.findings.push({ kind: 'double', text: `${token} was acknowledged as ${id}, and before as ${ids}` })
    ids.push(id)
    this.acknowledgedIds.push(id)
    this.byId.set(id, rsvp)
  }

  /** The id of a random RSVP that no client has asked to delete; undefined if the chosen one is not such. */
  deletable(random: Random): number | undefined {
    if (this.acknowledgedIds.length === 0) return undefined
    const id = random.pick(this.acknowledgedIds)
    return this.deletions.has(id) ? undefined : id
  }

  /** The same, as long as no other client changes it. */
  changeable(random: Random): SentRsvp | undefined {
    const rsvp = this.byId.get(this.deletable(random) ?? 0)
    return rsvp?.changing ? undefined : rsvp
  }

  askToChange(rsvp: SentRsvp, random: Random): RsvpBody {
    const version = makeRsvp(rsvp.token, random)
    rsvp.versions.push(version)
    rsvp.changing = true
    return version
  }

  changed(rsvp: SentRsvp, isAcknowledged: boolean): void {
    rsvp.changing = false
    if (!isAcknowledged) rsvp.doubtful = true
    else if (!rsvp.doubtful) rsvp.oldest = rsvp.versions.length - 1
  }

  askToDelete(id: number): void {
    if (!this.deletions.has(id)) this.deletions.set(id, false)
  }

  isAskedToDelete({ ids }: SentRsvp): boolean {
    return ids.some((id) => this.deletions.has(id))
  }

  /** A copy, to judge a copy of the database that is made after this moment. */
  snapshot(): Ledger {
    const copy = new Ledger()
    for (const [token, rsvp] of this.rsvps) copy.rsvps.set(token, { ...rsvp, ids: [...rsvp.ids] })
    for (const [id, isAcknowledged] of this.deletions) copy.deletions.set(id, isAcknowledged)
    copy.imports.push(...this.imports.map((file) => ({ ...file })))
    return copy
  }

  /** Adds what was sent since the snapshot: it may be stored or not, in any of its versions. */
  allowSentSince(later: Ledger): void {
    for (const [token, rsvp] of later.rsvps)
      if (!this.rsvps.has(token)) this.rsvps.set(token, { ...rsvp, refused: 0, ids: [], oldest: 0 })
    for (const id of later.deletions.keys()) this.askToDelete(id)
    const more = later.imports.slice(this.imports.length)
    this.imports.push(...more.map((file) => ({ ...file, acknowledged: false })))
  }
}

/** An RSVP of any shape: with and without family members and roles, short and long. */
export function makeRsvp(token: string, random: Random): RsvpBody {
  const members = random.chance(0.7) ? random.below(5) : 0
  const padding = 'x'.repeat(random.chance(0.2) ? random.below(LONGEST_MESSAGE) : 0)
  return {
    name: `Visitor ${token}`,
    email: `${token}@visitor.example`,
    phone: random.chance(0.3) ? `+1 555 ${random.below(10_000)}` : null,
    message: random.chance(0.8) ? `To ${token}. ${padding}`.trim() : null,
    attending: random.chance(0.8),
    familyMembers: Array.from({ length: members }, (_, position) => ({
      name: `Member ${position} of ${token}`,
      age: random.pick([...ageGroups, null]),
      attending: random.chance(0.9),
    })),
    volunteerRoles: ROLES.filter(() => random.chance(0.3)),
  }
}

export function tokenOf(email: string): string {
  return email.split('@')[0] ?? ''
}

/** The idempotency key of a visitor who sends one. */
export function keyOf(token: string): string {
  return `key-of-${token}`
}
