import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { everythingInFile, everythingOn, fillEverything } from '#testing/full-database-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { rsvp, testFolder } from '../fixtures.ts'

/** What a restore forgets. */
const forgotten = ['allowances', 'challenges', 'mail_queue', 'sessions']

/** A recipe of docs/operating.md: only `npm run test:long` tries it. */
it.runIf(process.env.SWEEP === 'whole')(
  'a libSQL server that starts with a restored backup has every row of every table',
  async () => {
    const { folder, url } = testFolder()
    await openDatabase(url)
    await fillEverything()
    await closeDatabase()
    const made = await rsvp(url, ['backup', '--out', folder, '--json'])
    const restored = join(folder, 'restored.db')
    const restore = ['backup', 'restore', JSON.parse(made.stdout).file, '--db', `file:${restored}`, '--yes']
    expect(await rsvp(url, restore)).toMatchObject({ code: 0 })
    const expected = await everythingInFile(restored)
    const listed = await rsvp(`file:${restored}`, ['list', '--json'])
    await using server = await startLibsqlServer({}, restored)
    expect(await rsvp(server.url, ['list', '--json'])).toEqual(listed)
    expect(await everythingOn(server.url)).toEqual(expected)
    const empty = Object.keys(expected).filter((name) => expected[name]?.length === 0)
    expect(empty.sort()).toEqual(forgotten)
    expect(await rsvp(server.url, ['add', '--name', 'New One', '--email', 'new@cole.example'])).toMatchObject({
      code: 0,
    })
  },
)
