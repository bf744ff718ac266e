import fc from 'fast-check'

/** On an idle machine a longer wait is a hang. */
const TIMEOUT_MS = 1000
/** On a busy machine a hang takes this many times as long as an ordinary reply. */
const BUSY_FACTOR = 20

/** On any machine a longer wait is a hang. */
export const LONGEST_MS = 20_000

/** A reply that took too long. */
export class Late extends Error {}

/** The figures of a run, and its findings. */
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
   * Sends again what is late, at most twice. A busy machine is late once or with everything; a hang is late every time.
   * @param ordinary sends a request that is quick: it measures how busy the machine is.
   */
  async retryLate<Result>(
    send: (timeoutMs: number) => Promise<Result>,
    ordinary: () => Promise<unknown>,
  ): Promise<Result> {
    let timeoutMs = TIMEOUT_MS
    for (let left = 2; ; left--) {
      try {
        return await send(timeoutMs)
      } catch (error) {
        if (!(error instanceof Late) || left === 0) throw error
        this.late++
        // The first one may wait for the late request itself, so only the second is measured.
        await ordinary()
        const sent = performance.now()
        await ordinary()
        const busyMs = BUSY_FACTOR * (performance.now() - sent)
        timeoutMs = Math.min(LONGEST_MS, Math.max(TIMEOUT_MS, busyMs))
      }
    }
  }

  /** Turns a failed property into a finding that can be repeated. */
  judge<Input>({ failed, counterexample, errorInstance, failures }: fc.RunDetails<Input>): void {
    if (!failed) return
    const lines = [`${errorInstance}`, `shrunk to ${fc.stringify(counterexample)}`]
    // A server that has crashed fails every later call, so the first failure is reported as well.
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
