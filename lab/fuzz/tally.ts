import fc from 'fast-check'

/** A longer wait is a hang, on a machine that has nothing else to do. */
const PATIENCE_MS = 1000
/** How many times as long as an ordinary answer is one that hangs, on a machine that is busy. */
const MANY_TIMES = 20

/** What has no answer by then has none, on any machine, in ms. */
export const LONGEST_MS = 20_000

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

  /**
   * A machine with other work to do is late once, or with everything; what hangs is late every time.
   * @param ordinary asks for something that is quick.
   */
  async patiently<Answer>(
    ask: (patienceMs: number) => Promise<Answer>,
    ordinary: () => Promise<unknown>,
  ): Promise<Answer> {
    let patienceMs = PATIENCE_MS
    for (let left = 2; ; left--) {
      try {
        return await ask(patienceMs)
      } catch (error) {
        if (!(error instanceof Late) || left === 0) throw error
        this.late++
        // The first may have waited for what is measured itself.
        await ordinary()
        const asked = performance.now()
        await ordinary()
        const patienceOfNow = MANY_TIMES * (performance.now() - asked)
        patienceMs = Math.min(LONGEST_MS, Math.max(PATIENCE_MS, patienceOfNow))
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
