import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inDatabase, inShell, rsvpInTerminal, rsvpProcessInTerminal, testResponses } from '../fixtures.ts'

const thousands = testResponses(3000)

/** How many are neither deleted nor erased. */
function countLeft(place: string): unknown {
  const query = 'SELECT count(*) AS rows FROM rsvps WHERE deleted_at IS NULL'
  return inDatabase(place, (database) => database.prepare(query).get()?.rows)
}

describe('rsvp delete of thousands', () => {
  const file = join(thousands.folder, 'data', 'rsvp.db')

  const samples = join(thousands.folder, 'samples.db')
  const ids = Array.from({ length: 3000 }, (_, at) => String(3000 - at))

  beforeAll(() => copyFileSync(file, samples))
  beforeEach(() => copyFileSync(samples, file))

  /**
   * Another process holds the lock while something happens: a write that waits for it is made after that, not before.
   * This process would lose it as soon as any connection that it has had to the file is closed, by POSIX's rule.
   */
  async function holdingLock(meanwhile: () => Promise<void>): Promise<void> {
    const lock = `held = new (require('node:sqlite').DatabaseSync)(process.argv[1])
      held.exec('BEGIN IMMEDIATE'); console.log('locked'); setInterval(() => {}, 60_000)`
    const holder = spawn(process.execPath, ['-e', lock, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(holder.stdout, 'data')
      await meanwhile()
    } finally {
      holder.kill()
    }
  }

  /** Interrupts while the first write waits. */
  async function interrupted(ids: string[]) {
    let terminal: ReturnType<typeof rsvpProcessInTerminal> | undefined
    await holdingLock(async () => {
      terminal = rsvpProcessInTerminal(thousands.url, ['delete', ...ids, '--yes'])
      await terminal.shows(/^Deleting 0 of 3,\d+/)
      terminal.kill('SIGINT')
    })
    return { code: await terminal?.ended, screen: terminal?.screen() ?? '' }
  }

  /** Returns how many of 3,000 went: some, not all, and as many as the database says. */
  function toldWhatIsTrue(screen: string): number {
    const [, deleted = '', untouched] = /^Deleted (\d+) .*Interrupted: (\d+) were not reached\.$/m.exec(screen) ?? []
    expect(screen).toMatch(/^Deleted \d+ responses\. Interrupted: \d+ were not reached\.$/m)
    expect(Number(deleted) + Number(untouched)).toBe(3000)
    expect(countLeft(thousands.url)).toBe(Number(untouched))
    expect(Math.min(Number(deleted), Number(untouched))).toBeGreaterThan(0)
    return Number(deleted)
  }

  it('takes what rsvp list prints', async () => {
    const line = 'rsvp list | cut -f1 | xargs --no-run-if-empty rsvp delete --yes'
    expect(await inShell(thousands.url, line)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Deleted 3000 responses.\n',
    })
    expect(countLeft(thousands.url)).toBe(0)
  })

  it('goes in several writes, and says how many went when it is interrupted between two', async () => {
    const { code, screen } = await interrupted(ids)
    expect(code).toBe(130)
    expect(toldWhatIsTrue(screen) % 1000).toBe(0)
  })

  it('ends with 130 also when some of the ids before the interruption were not found', async () => {
    const { code, screen } = await interrupted(['900001', ...ids])
    expect(toldWhatIsTrue(screen) % 1000).toBe(999)
    expect(screen).toMatch(/^Not found: 900001\./m)
    expect(code).toBe(130)
  })

  it('can be chosen all at once on the screen', async () => {
    const terminal = rsvpInTerminal(thousands.url, ['delete'])
    await allChosen(terminal)
    terminal.press('3000\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toBe('Deleted 3000 responses.')
    expect(countLeft(thousands.url)).toBe(0)
  })

  it('says how many went also when it is interrupted on the screen', async () => {
    const terminal = rsvpProcessInTerminal(thousands.url, ['delete'])
    await allChosen(terminal)
    await holdingLock(async () => {
      terminal.press('3,000\r')
      await terminal.shows('░')
      terminal.kill('SIGINT')
    })
    expect(await terminal.ended).toBe(130)
    expect(toldWhatIsTrue(terminal.screen()) % 1000).toBe(0)
  })

  async function allChosen({ press, shows }: Pick<ReturnType<typeof rsvpInTerminal>, 'press' | 'shows'>) {
    await shows(/^Choose what to delete +Attending \d+, Not Attending \d+ +by/)
    press('a')
    await shows(/, 3,000 selected$/m)
    press('d')
    await shows('Are you sure you want to delete 3000 selected RSVPs?')
    await shows('Type 3000, then enter:')
  }
})
