import { type Finding, kinds } from './finding.ts'
import type { Ledger } from './ledger.ts'

/** What is counted where a kill came between the beginning and the end of a transaction. */
export const KILLED_WRITING = 'killed while writing'
/** What is counted when the database is a process of its own. */
export const SERVER_KILLED = 'libSQL server killed'
/** What is counted where another process than the site had the database for itself. */
export const LOCK_TAKEN = 'lock taken by another process'

/** What a run has seen, over all its databases. */
export class Figures {
  rounds = 0
  seconds = 0
  readonly findings: (Finding & { seed: number })[] = []
  readonly evidence: string[] = []
  /** How often what was asked had which answer. */
  readonly answered = new Map<string, number>()
  readonly counts = {
    acknowledged: 0,
    'acknowledged again, by its key': 0,
    'not answered, not stored': 0,
    'not answered, stored': 0,
    'refused (503), not stored': 0,
    'refused (503), stored': 0,
    'deletions acknowledged': 0,
  }

  add({ submissions, deletions, answered }: Ledger): void {
    const { counts } = this
    for (const [what, times] of answered) this.answered.set(what, (this.answered.get(what) ?? 0) + times)
    for (const { ids, times, refused, storedAs } of submissions.values()) {
      if (ids.length > 0) {
        counts.acknowledged++
        counts['acknowledged again, by its key'] += ids.length - 1
        continue
      }
      const outcome = refused === times ? 'refused (503)' : 'not answered'
      counts[`${outcome}, ${storedAs === undefined ? 'not stored' : 'stored'}`]++
    }
    for (const isGone of deletions.values()) if (isGone) counts['deletions acknowledged']++
  }

  /** The rows of a table: what, and how often. */
  rows(): [string, number][] {
    return [
      ['rounds', this.rounds],
      [KILLED_WRITING, this.answered.get(KILLED_WRITING) ?? 0],
      [SERVER_KILLED, this.answered.get(SERVER_KILLED) ?? 0],
      [LOCK_TAKEN, this.answered.get(LOCK_TAKEN) ?? 0],
      ...Object.entries(this.counts),
      ['exports that were done', this.answered.get('export 0') ?? 0],
      ['backups that were done', this.answered.get('backup 0') ?? 0],
      ...kinds.map((kind): [string, number] => [kind, this.findings.filter((one) => one.kind === kind).length]),
      ['seconds', Math.round(this.seconds)],
    ]
  }
}
