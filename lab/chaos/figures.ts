import { type Finding, kinds } from '../finding.ts'
import type { Ledger } from '../ledger.ts'

/** Counted where a kill came between the beginning and the end of a transaction. */
export const KILLED_WRITING = 'killed while writing'
/** Counted where the database is a server. */
export const SERVER_KILLED = 'libSQL server killed'
/** Counted where another process held the lock of the database. */
export const LOCK_TAKEN = 'lock taken by another process'

/** The figures of a run, over all its databases. */
export class Figures {
  rounds = 0
  seconds = 0
  readonly findings: (Finding & { seed: number })[] = []
  readonly evidence: string[] = []
  /** How often each kind of request had each outcome. */
  readonly outcomes = new Map<string, number>()
  readonly counts = {
    acknowledged: 0,
    'acknowledged again, by its key': 0,
    'without reply, not stored': 0,
    'without reply, stored': 0,
    'refused (503), not stored': 0,
    'refused (503), stored': 0,
    'deletions acknowledged': 0,
  }

  add({ rsvps, imports, deletions, outcomes }: Ledger): void {
    const { counts } = this
    const imported = new Set(imports.flatMap((file) => file.rsvps))
    for (const [what, times] of outcomes) this.outcomes.set(what, (this.outcomes.get(what) ?? 0) + times)
    for (const rsvp of rsvps.values()) {
      if (imported.has(rsvp)) continue
      const { ids, times, refused, storedAs } = rsvp
      if (ids.length > 0) {
        counts.acknowledged++
        counts['acknowledged again, by its key'] += ids.length - 1
        continue
      }
      const outcome = refused === times ? 'refused (503)' : 'without reply'
      counts[`${outcome}, ${storedAs === undefined ? 'not stored' : 'stored'}`]++
    }
    for (const isGone of deletions.values()) if (isGone) counts['deletions acknowledged']++
  }

  /** The rows of a table: label and number. */
  rows(): [string, number][] {
    return [
      ['rounds', this.rounds],
      [KILLED_WRITING, this.outcomes.get(KILLED_WRITING) ?? 0],
      [SERVER_KILLED, this.outcomes.get(SERVER_KILLED) ?? 0],
      [LOCK_TAKEN, this.outcomes.get(LOCK_TAKEN) ?? 0],
      ...Object.entries(this.counts),
      ['changes acknowledged', (this.outcomes.get('PATCH 200') ?? 0) + (this.outcomes.get('PATCH 204') ?? 0)],
      ['exports completed', this.outcomes.get('export 0') ?? 0],
      ['imports completed', this.outcomes.get('import 0') ?? 0],
      ['backups completed', this.outcomes.get('backup 0') ?? 0],
      ...kinds.map((kind): [string, number] => [kind, this.findings.filter((one) => one.kind === kind).length]),
      ['seconds', Math.round(this.seconds)],
    ]
  }
}
