import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { localEnvironment, root } from '../scripts/local-node.mjs'
import { run } from '../scripts/run.mjs'
import { type Finding, finding } from './finding.ts'
import { judge } from './judge.ts'
import type { Ledger } from './ledger.ts'
import { type Stored, storedInFile } from './stored.ts'

const command = join(root, 'cli', 'rsvp')
const EMPTY: Stored = {
  rows: [],
  deletions: [],
  registers: {
    feature: { value: true, changes: 0 },
    turnout: { value: null, changes: 0 },
    minutes: { value: null, changes: 0 },
  },
  complaints: [],
}

/**
 * Judges a database file as a power cut or a backup has left it. `rsvp list` opens it first, as the site would: with our
 * own code in a process of its own, which recovers an unfinished transaction.
 */
export async function examine(file: string, ledger: Ledger): Promise<Finding[]> {
  // The first start of the site may not have come far enough to create the file.
  if (!existsSync(file)) return judgeRows(ledger, EMPTY)
  const words = ['list', '--week', 'all', '--json']
  const { code, output } = await run(command, words, localEnvironment({ DATABASE_URL: `file:${file}` }))
  if (code !== 0) {
    const closed = finding('damaged', `the database does not open: ${output.trim()}`)
    return [closed, ...judgeRows(ledger, EMPTY)]
  }
  const stored = storedInFile(file)
  return [...judgeList(JSON.parse(output), stored), ...judgeRows(ledger, stored)]
}

function judgeRows(ledger: Ledger, stored: Stored): Finding[] {
  return judge(ledger, stored, { refusedIsNotStored: true })
}

/** `rsvp list` shows what is stored. */
function judgeList(listed: StoredRsvp[], { rows }: Stored): Finding[] {
  const shown = new Set(listed.map(({ id }) => id))
  const hidden = rows.filter(({ id }) => !shown.has(id))
  const isSame = hidden.length === 0 && listed.length === rows.length
  return isSame ? [] : [finding('lost', `rsvp list shows ${listed.length} of ${rows.length} RSVPs`)]
}
