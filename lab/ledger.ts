import { type Finding, finding } from './finding.ts'
import type { Random } from './random.ts'
import { Register, type RegisterName } from './register.ts'
import { makeRsvp, type RsvpBody } from './rsvp.ts'
import { makeSent, type SentRsvp } from './sent-rsvp.ts'

/** What is certain at one moment: which RSVPs are stored, and which are deleted. */
export type Promises = { kept: SentRsvp[]; gone: SentRsvp[] }

/** What clients have asked of one database, and the replies. A request without a reply may be stored or not. */
export class Ledger {
  readonly rsvps = new Map<string, SentRsvp>()
  /** By the id of an RSVP that a client asked to delete: whether the deletion is acknowledged. */
  readonly deletions = new Map<number, boolean>()
  /** RSVPs that a file brought: all of it is stored, or nothing. */
  readonly imports: { rsvps: SentRsvp[]; acknowledged: boolean }[] = []
  readonly registers: Record<RegisterName, Register> = {
    feature: new Register('the feature', true),
    turnout: new Register('the turnout', null),
    minutes: new Register('the length of a service', null),
  }
  /** What clients have seen going wrong, without a look into the database. */
  readonly findings: Finding[] = []
  /** How often each kind of request had each outcome. */
  readonly outcomes = new Map<string, number>()
  private readonly acknowledgedIds: number[] = []
  private readonly byId = new Map<number, SentRsvp>()

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

  /**
   * @param keyed how many of them are sent with an idempotency key.
   * @param entered how many an administrator enters.
   */
  newRsvp(random: Random, { keyed = 0.5, entered = 0 } = {}): SentRsvp {
    const token = `visitor-${this.rsvps.size + 1}`
    const rsvp = makeSent(token, random, { isKeyed: random.chance(keyed), entered: random.chance(entered) })
    this.rsvps.set(token, rsvp)
    return rsvp
  }

  acknowledge(rsvp: SentRsvp, id: number): void {
    const { ids, token } = rsvp
    if (ids.some((other) => other !== id))
      this.findings.push(finding('double', `${token} was acknowledged as ${id}, and before as ${ids}`))
    ids.push(id)
    this.acknowledgedIds.push(id)
    this.byId.set(id, rsvp)
  }

  /** The id of a random RSVP that no client has asked to delete; undefined where the first choice is no such id. */
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

  /** What a copy that begins now has to hold, also in a version that comes later, and what it must no longer hold. */
  promises(): Promises {
    const acknowledged = Array.from(this.rsvps.values(), (rsvp) => ({ ...rsvp })).filter(({ ids }) => ids.length > 0)
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

  /** Adds what was sent since a snapshot was taken: it may be stored or not, in any of its versions. */
  allowSentSince(later: Ledger): void {
    for (const [token, rsvp] of later.rsvps)
      if (!this.rsvps.has(token)) this.rsvps.set(token, { ...rsvp, refused: 0, ids: [], oldest: 0 })
  }
}
