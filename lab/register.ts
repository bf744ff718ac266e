import { isDeepStrictEqual } from 'node:util'
import { type Finding, finding } from './finding.ts'

export const registerNames = ['feature', 'turnout', 'minutes'] as const
export type RegisterName = (typeof registerNames)[number]

/** A stored value, and how often the audit has a change of it. */
export type StoredRegister = { value: unknown; changes: number }

/** A value that clients change one after the other, e.g. a feature. Each change has one line in the audit. */
export class Register {
  private readonly name: string
  /** The values that it may have: a change without a reply may have taken effect or not. */
  private possible: unknown[]
  private doubtful = false
  /** How often it was changed: at least, and at most. */
  private acknowledged = 0
  private asked = 0

  constructor(name: string, first: unknown) {
    this.name = name
    this.possible = [first]
  }

  ask(value: unknown): void {
    this.possible.push(value)
    this.asked++
  }

  changed(value: unknown, isAcknowledged: boolean): void {
    if (isAcknowledged) this.acknowledged++
    // A request without a reply may still take effect after one that was acknowledged.
    if (!isAcknowledged) this.doubtful = true
    else if (!this.doubtful) this.possible = [value]
  }

  /** It has the value of its last change, and each change has its line. From then on the value has to stay. */
  judge({ value, changes }: StoredRegister): Finding[] {
    const { name, acknowledged, asked } = this
    const findings: Finding[] = []
    if (!this.possible.some((each) => isDeepStrictEqual(each, value)))
      findings.push(finding('lost', `${name} is ${value}, and was changed from that`))
    if (changes < acknowledged)
      findings.push(finding('half-written', `${changes} of ${acknowledged} changes of ${name} are in the audit`))
    if (changes > asked) findings.push(finding('double', `${asked} changes of ${name} are ${changes} in the audit`))
    this.possible = [value]
    this.doubtful = false
    this.acknowledged = changes
    this.asked = changes
    return findings
  }
}
