import fc from 'fast-check'

/** A longer wait is a hang. */
export const PATIENCE_MS = 1000

/** What took longer than it may. */
export class Late extends Error {}

/** What a run has seen, and everything that must not be. */
export class Tally {
  readonly kinds = new Map<string, number>()
  readonly findings: string[] = []
  slowestMs = 0
  late = 0

  count(kind: string, ms = 0, times = 1): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + times)
    this.slowestMs = Math.max(this.slowestMs, ms)
  }

  /** A machine with other work to do is late once; what hangs is late every time. */
  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let left = 2; ; left--) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof Late) || left === 0) throw error
        this.late++
      }
    }
  }

  /** A property that failed becomes a finding that can be repeated. */
  judge<Input>({ failed, counterexample, errorInstance, failures }: fc.RunDetails<Input>): void {
    if (!failed) return
    const lines = [`${errorInstance}`, `shrunk to ${fc.stringify(counterexample)}`]
    // A server that is broken for good fails with everything that comes later: then only the first one tells.
    this.findings.push([...lines, `first was ${fc.stringify(failures[0])}`].join('\n'))
  }

  add({ kinds, findings, slowestMs, late }: Tally): void {
    this.late += late
    for (const [kind, times] of kinds) this.count(kind, slowestMs, times)
    this.findings.push(...findings)
  }

  get total(): number {
    return this.kinds.values().reduce((sum, times) => sum + times, 0)
  }
}
