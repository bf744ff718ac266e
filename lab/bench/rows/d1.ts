import { rm } from 'node:fs/promises'
import { node, rsvp, timeOf } from '../command.ts'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored } from '../stored.ts'

const DELETED = 1000
const ids = Array.from({ length: DELETED }, (_, index) => String(index + 1))
const ONE_STATEMENT = `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { enableForeignKeyConstraints: true })
  database.exec('PRAGMA synchronous=FULL; PRAGMA journal_mode=TRUNCATE')
  database.exec('DELETE FROM rsvps WHERE id IN (${ids.join()})')
  database.close()`

/** Both with the start of their process, each on a fresh copy. */
export const d1: Row = {
  id: 'D1',
  title: '`rsvp delete` of 1,000 responses',
  limit: 'node:sqlite with one DELETE statement',
  rounds: 9,
  measure: async (rounds) => {
    const { ours, limit } = await inTurns(rounds, {
      ours: () => onCopy((file) => timeOf([rsvp, 'delete', '--yes', '--quiet', ...ids], { database: file })),
      limit: () => onCopy((file) => timeOf([node, '--no-warnings', '-e', ONE_STATEMENT, file])),
    })
    return [{ name: 'the whole command', unit: 'ms', ours, limit, target: { atMost: 1.5 } }]
  },
}

async function onCopy(work: (file: string) => Promise<number>): Promise<number> {
  const { folder, file } = await copyOfStored(DELETED)
  try {
    return await work(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
