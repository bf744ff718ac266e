import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { inDatabase, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const file = join(folder, 'responses.csv')
const misfit = join(folder, 'misfit.csv')
const list = join(folder, 'list.csv')
const count = () => inDatabase(url, (database) => database.prepare('SELECT count(*) AS rows FROM rsvps').get())?.rows

/** A file of two responses, which are not stored any more. */
beforeEach(async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
  for (const name of ['Ana Cole', 'Ben Cole']) await createRsvp(testRsvp({ name }), testCall())
  await rsvp(url, ['export', '--out', file, '--force'])
  writeFileSync(misfit, readFileSync(file, 'utf8').replace('Ben Cole', 'B'))
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps'))
})

describe('rsvp import', () => {
  it('says first what it would do, and adds them with --yes, the same file once', async () => {
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
        /^1 response is new\. 1 row is invalid\.\n.*Row \d: Name: Write the name with at least two letters\.\nNothing was imported\. Correct the file, or add --skip-bad/s,
      ),
    })
    expect(count()).toBe(0)
  })

  it('adds the others with --skip-bad, and says which it leaves out', async () => {
    expect(await rsvp(url, ['import', misfit, '--yes', '--skip-bad'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^1 response is new\. 1 row is invalid\.\nRow 2: Name: .+\nAdded 1 response\.\n$/),
    })
    expect(count()).toBe(1)
  })

  it('says what the columns of another list become, and refuses what is unclear', async () => {
    const form = 'Your name?,Tea?,Will you come?\r\nAna Núñez,Yes,Yes\r\nBo Kim,No,No\r\n'
    writeFileSync(list, form)
    expect((await rsvp(url, ['import', list])).stderr.split('\n')).toEqual([
      '"Your name?" becomes Name.',
      '"Tea?" is ignored.',
      '"Will you come?" becomes Status.',
      'No column becomes Date: the responses get the time of this import.',
      '2 responses are new.',
      'Nothing was changed: add --yes to import.',
      'see rsvp import --help',
      '',
    ])
    writeFileSync(list, Buffer.from(form, 'latin1'))
    const refused = {
      code: 2,
      stderr: expect.stringMatching(/^The file is not UTF-8 text\. .+--encoding windows-1252/),
    }
    expect(await rsvp(url, ['import', list, '--yes'])).toMatchObject(refused)
    const options = ['--encoding', 'windows-1252', '--map', 'Tea?=Message', 'Will you come?=Status']
    expect(await rsvp(url, ['import', list, '--yes', ...options])).toMatchObject({ code: 0 })
    expect(count()).toBe(2)
  })

  it('asks at a terminal before it adds', async () => {
    const terminal = rsvpInTerminal(url, ['import', file])
    await terminal.shows('Add 2 responses? ')
    terminal.press('y')
    expect(await terminal.ended).toBe(0)
    expect(count()).toBe(2)
  })
})
