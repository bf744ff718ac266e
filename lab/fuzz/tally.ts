import fc from 'fast-check'

/** On any machine a longer wait is a hang. */
export const LONGEST_MS = 20_000

export class Tally {
  readonly kinds = new Map<string, number>()
  readonly findings: string[] = []
  slowestMs = 0

  count(kind: string, ms = 0, times = 1): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + times)
    this.slowestMs = Math.max(this.slowestMs, ms)
  }

  /** Turns a failed property into a finding that can be repeated. */
  judge<Input>({ failed, counterexample, errorInstance, failures }: fc.RunDetails<Input>): void {
    if (!failed) return
    const lines = [`${errorInstance}`, `shrunk to ${fc.stringify(counterexample)}`]
    // A server that has crashed fails every later call, so the first failure is reported as well.
    this.findings.push([...lines, `first was ${fc.stringify(failures[0])}`].join('\n'))
  }
}
