import { type Finding, finding } from './finding.ts'
import type { Random } from './random.ts'
import { keyOf, makeRsvp, type RsvpBody } from './rsvp.ts'

/** An RSVP as it is sent, and the replies to it. */
export type SentRsvp = {
  token: string
  key: string | undefined
  body: RsvpBody
  times: number
  /** How many of these times the client knows that it was not stored. */
  refused: number
  /** The ids in the replies that acknowledged it. */
  ids: number[]
  /** The id under which it was found in the database: from then on it has to stay. */
  storedAs: number | undefined
}

/** What is certain at one moment: which RSVPs are stored, and which are deleted. */
export type Promises = { kept: SentRsvp[]; gone: SentRsvp[] }

/** What clients have asked of one database, and the replies. A request without a reply may be stored or not. */
export class Ledger {
  readonly rsvps = new Map<string, SentRsvp>()
  /** By the id of an RSVP that a client asked to delete: whether the deletion is acknowledged. */
  readonly deletions = new Map<number, boolean>()
  /** The values that the switched feature may have. */
  feature = { possible: new Set([true]), doubtful: false }
  /** How often it was switched: at least, and at most. */
  switches = { acknowledged: 0, asked: 0 }
  /** What clients have seen going wrong, without a look into the database. */
  readonly findings: Finding[] = []
  /** How often each kind of request had each outcome. */
  readonly outcomes = new Map<string, number>()
  private readonly acknowledgedIds: number[] = []

  count(outcome: string, times = 1): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times)
  }

  complain(text: string): void {
    this.findings.push(finding('failure', text))
  }

  /** How many RSVPs a reply has acknowledged, some of them more than once. */
  get acknowledged(): number {
    return this.rsvps.values().reduce((count, { ids }) => count + Number(ids.length > 0), 0)
  }

  /** @param keyed how many of the visitors send an idempotency key. */
  newRsvp(random: Random, keyed = 0.5): SentRsvp {
    const token = `visitor-${this.rsvps.size + 1}`
    const key = random.chance(keyed) ? keyOf(token) : undefined
    const body = makeRsvp(token, random)
    const rsvp: SentRsvp = { token, key, body, times: 0, refused: 0, ids: [], storedAs: undefined }
    this.rsvps.set(token, rsvp)
    return rsvp
  }

  acknowledge({ ids, token }: SentRsvp, id: number): void {
    if (ids.some((other) => other !== id))
      this.findings.push(finding('double', `${token} was acknowledged as ${id}, and before as ${ids}`))
    ids.push(id)
    this.acknowledgedIds.push(id)
  }

  /** The id of a random RSVP that no client has asked to delete; undefined where the first choice is no such id. */
  deletable(random: Random): number | undefined {
    if (this.acknowledgedIds.length === 0) return undefined
    const id = random.pick(this.acknowledgedIds)
    return this.deletions.has(id) ? undefined : id
  }

  askToDelete(id: number): void {
    if (!this.deletions.has(id)) this.deletions.set(id, false)
  }

  isAskedToDelete({ ids }: SentRsvp): boolean {
    return ids.some((id) => this.deletions.has(id))
  }

  /** What a copy that begins now has to hold, and what it must no longer hold. */
  promises(): Promises {
    const acknowledged = Array.from(this.rsvps.values()).filter(({ ids }) => ids.length > 0)
    const has = (state: boolean | undefined) =>
      acknowledged.filter(({ ids: [id = 0] }) => this.deletions.get(id) === state)
    return { kept: has(undefined), gone: has(true) }
  }

  /** The RSVPs as they are known now, for a verdict on a copy of the database that is taken at this moment. */
  snapshot(): Ledger {
    const copy = new Ledger()
    for (const [token, rsvp] of this.rsvps) copy.rsvps.set(token, { ...rsvp, ids: [...rsvp.ids] })
    return copy
  }

  /** Adds what was sent since a snapshot was taken: it may be stored or not. */
  allowSentSince(later: Ledger): void {
    for (const [token, rsvp] of later.rsvps)
      if (!this.rsvps.has(token)) this.rsvps.set(token, { ...rsvp, refused: 0, ids: [] })
  }

  askToSwitch(enabled: boolean): void {
    this.feature.possible.add(enabled)
    this.switches.asked++
  }

  switched(enabled: boolean, isAcknowledged: boolean): void {
    if (isAcknowledged) this.switches.acknowledged++
    // A request without a reply may still take effect after one that was acknowledged.
    if (!isAcknowledged) this.feature.doubtful = true
    else if (!this.feature.doubtful) this.feature.possible = new Set([enabled])
  }
}
