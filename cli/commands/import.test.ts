import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpInTerminal } from '../terminal-fixtures.ts'

const { url, folder } = testDatabase()
const file = join(folder, 'responses.csv')
const misfit = join(folder, 'misfit.csv')
const list = join(folder, 'list.csv')
const count = () => inDatabase(url, (database) => database.prepare('SELECT count(*) AS rows FROM rsvps').get())?.rows

/** Writes a file of two responses, and removes them from the database. */
beforeEach(async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
  for (const name of ['Ana Cole', 'Ben Cole']) await createRsvp(testRsvp({ name }), testCall())
  await rsvp(url, ['export', '--out', file, '--force'])
  writeFileSync(misfit, readFileSync(file, 'utf8').replace('Ben Cole', 'B'))
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
})

describe('rsvp import', () => {
  it('prints first what it would do, adds the responses with --yes, and the same file only once', async () => {
    const stderr = '2 responses are new.\nNothing was changed: add --yes to import.\nsee rsvp import --help\n'
    expect(await rsvp(url, ['import', file])).toMatchObject({ code: 2, stdout: '', stderr })
    expect(count()).toBe(0)
    const { stdout } = await rsvp(url, ['import', file, '--yes', '--json', '--quiet'])
    expect(JSON.parse(stdout)).toEqual({ added: 2, known: [], misfits: [], imported: true })
    const known = '0 responses are new. 2 responses exist already: rows 2, 3.\n'
    expect(await rsvp(url, ['import', file, '--yes'])).toMatchObject({ code: 0, stderr: known })
    expect(count()).toBe(2)
  })

  it('names the invalid rows by number, and adds none', async () => {
    expect(await rsvp(url, ['import', misfit, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^1 response is new\. 1 row is invalid\.\n.*Row \d: Name: Write the name with at least two letters\.\nNothing was imported\. Correct the file\./s,
      ),
    })
    expect(count()).toBe(0)
  })

  it('prints which columns of another list it ignores, until --map names their fields', async () => {
    writeFileSync(list, 'Name,Tea?,Will you come?\r\nAna Núñez,Yes,Yes\r\nBo Kim,No,No\r\n')
    const refused = { code: 2, stderr: expect.stringMatching(/^The file has no column for Status\. .+--map/) }
    expect(await rsvp(url, ['import', list, '--yes'])).toMatchObject(refused)
    const { code, stderr } = await rsvp(url, ['import', list, '--yes', '--map', 'Will you come?=Status'])
    expect(code).toBe(0)
    expect(stderr.split('\n')).toEqual([
      'The column "Tea?" is ignored; --map can say what it is.',
      'There is no column Date: the responses get the time of this import.',
      '2 responses are new.',
      'Added 2 responses.',
      '',
    ])
    expect(count()).toBe(2)
  })

  it('asks on a terminal before it adds', async () => {
    const terminal = rsvpInTerminal(url, ['import', file])
    await terminal.shows('Add 2 responses? ')
    terminal.press('y')
    expect(await terminal.ended).toBe(0)
    expect(count()).toBe(2)
  })
})
