import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { reportedRun, rsvp } from '../command.ts'
import type { SelfReport } from '../reported.ts'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored } from '../stored.ts'

const MANY = 1_000_000
const FEWER = 100_000

/** The memory of the CSV, and how long it keeps its process from anything else. */
export const c2: Row = {
  id: 'C2',
  title: 'memory of `rsvp export` of 1,000,000 responses',
  limit: 'the same of 100,000',
  rounds: 2,
  measure: async (rounds) => {
    const many = await copyOfStored(MANY)
    const fewer = await copyOfStored(FEWER)
    try {
      const { ours, limit } = await inTurns(rounds, {
        ours: () => exported(many),
        limit: () => exported(fewer),
      })
      const memory = ours.map((report) => report.memory)
      return [
        { name: 'memory at most', unit: 'MiB', ours: memory, target: { atMost: 110 } },
        {
          name: 'memory beside that of 100,000',
          unit: 'MiB',
          ours: memory,
          limit: limit.map((report) => report.memory),
          target: { atMost: 1.4 },
        },
        {
          name: 'event loop blocked at most',
          unit: 'ms',
          ours: ours.map((report) => report.blocked),
          target: { atMost: 25 },
        },
      ]
    } finally {
      for (const { folder } of [many, fewer]) await rm(folder, { recursive: true })
    }
  },
}

function exported({ folder, file }: { folder: string; file: string }): Promise<SelfReport> {
  return reportedRun([rsvp, 'export', '--quiet', '--force', '--out', join(folder, 'rsvps.csv')], file)
}
