import { ageGroups } from '#db/family-member/schema.ts'
import { type Finding, finding } from './finding.ts'
import type { Random } from './random.ts'

/** What is certain: which answers are there, and which are deleted. */
export type Promises = { kept: Submission[]; gone: Submission[] }

const ROLES = [1, 2, 3, 4, 5, 6]
const LONGEST_MESSAGE = 2000

/** An answer of a visitor as it is sent, and what became of it. */
export type Submission = {
  /** In the e-mail address and the name, so that a row tells what it was made of. */
  token: string
  key: string | undefined
  body: {
    name: string
    email: string
    message: string
    attending: boolean
    familyMembers: { name: string; age: string | null; attending: boolean }[]
    volunteerRoles: number[]
  }
  times: number
  refused: number
  /** The numbers that it was told, one for each time. */
  ids: number[]
  /** Under which number it was found stored: from then on it has to stay. */
  storedAs: number | undefined
}

/** The idempotency key that a visitor sends, if he sends one. */
export function keyOf(token: string): string {
  return `key-of-${token}`
}

/** Everything that was asked of a database, with what was answered. What is not answered may be stored or not. */
export class Ledger {
  readonly submissions = new Map<string, Submission>()
  /** By the number of the answer to be deleted, whether it is known to be gone. */
  readonly deletions = new Map<number, boolean>()
  /** What the feature that is switched may be. */
  feature = { possible: new Set([true]), doubtful: false }
  /** How often it was switched: at least, and at most. */
  switches = { answered: 0, asked: 0 }
  /** What could be seen without looking into the database. */
  readonly findings: Finding[] = []
  readonly answered = new Map<string, number>()
  private readonly acknowledgedIds: number[] = []

  count(what: string, times = 1): void {
    this.answered.set(what, (this.answered.get(what) ?? 0) + times)
  }

  newSubmission(random: Random): Submission {
    const token = `visitor-${this.submissions.size + 1}`
    const members = random.chance(0.7) ? random.below(5) : 0
    const submission: Submission = {
      token,
      key: random.chance(0.5) ? keyOf(token) : undefined,
      body: {
        name: `Visitor ${token}`,
        email: `${token}@chaos.example`,
        message: `To ${token}. ${'x'.repeat(random.chance(0.2) ? random.below(LONGEST_MESSAGE - 50) : 0)}`.trim(),
        attending: random.chance(0.8),
        familyMembers: Array.from({ length: members }, (_, position) => ({
          name: `Member ${position} of ${token}`,
          age: random.pick([...ageGroups, null]),
          attending: random.chance(0.9),
        })),
        volunteerRoles: ROLES.filter(() => random.chance(0.3)),
      },
      times: 0,
      refused: 0,
      ids: [],
      storedAs: undefined,
    }
    this.submissions.set(token, submission)
    return submission
  }

  stored(submission: Submission, id: number): void {
    const { ids, token } = submission
    if (ids.some((other) => other !== id))
      this.findings.push(finding('double', `${token} was told to be ${id}, and before ${ids}`))
    ids.push(id)
    this.acknowledgedIds.push(id)
  }

  /** The number of any answer that nobody has asked to delete; undefined where the first try finds none. */
  deletable(random: Random): number | undefined {
    if (this.acknowledgedIds.length === 0) return undefined
    const id = random.pick(this.acknowledgedIds)
    return this.deletions.has(id) ? undefined : id
  }

  askToDelete(id: number): void {
    if (!this.deletions.has(id)) this.deletions.set(id, false)
  }

  isAskedToDelete({ ids }: Submission): boolean {
    return ids.some((id) => this.deletions.has(id))
  }

  /** What a copy that begins now has to hold, and what it may no longer hold. */
  promises(): Promises {
    const told = this.submissions
      .values()
      .filter(({ ids }) => ids.length > 0)
      .toArray()
    const has = (state: boolean | undefined) => told.filter(({ ids: [id = 0] }) => this.deletions.get(id) === state)
    return { kept: has(undefined), gone: has(true) }
  }

  askToSwitch(enabled: boolean): void {
    this.feature.possible.add(enabled)
    this.switches.asked++
  }

  switched(enabled: boolean, answered: boolean): void {
    if (answered) this.switches.answered++
    // What was not answered may come to pass after what was.
    if (!answered) this.feature.doubtful = true
    else if (!this.feature.doubtful) this.feature.possible = new Set([enabled])
  }
}
