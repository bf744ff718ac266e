import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { inShell, rsvp, testDatabase, testResponses } from '../fixtures.ts'

const { url, folder } = testDatabase()
const many = testResponses(5000)
/** A name that only the database contains: no command line has it. */
const CANARY = 'Quentin Canary'

const someCommands = ['list', 'export', 'add --samples 2', 'delete']

beforeAll(async () => {
  await createRsvp(testRsvp({ name: CANARY, message: CANARY, familyMembers: [{ name: CANARY }] }), testCall())
})

function emptyFolder(): string {
  return mkdtempSync(join(folder, 'place-'))
}

describe('rsvp without a database it can use', () => {
  it('creates no database where there is none', async () => {
    const place = emptyFolder()
    const missing = join(place, 'data', 'rsvp.db')
    for (const line of someCommands) {
      const { code, stdout, stderr } = await rsvp(`file:${missing}`, line.split(' '), { cwd: place })
      expect([line, code, stdout, readdirSync(place)]).toEqual([line, 78, '', []])
      expect(stderr).toMatch(/^There is no database at [^\n]+\n$/)
      expect(stderr).toContain(missing)
    }
  })

  it.each([
    ['postgres://localhost/rsvp', 78, /^DATABASE_URL .*\n$/],
    ['file:missing.db', 78, /missing\.db.+check DATABASE_URL\.\n$/],
  ])('refuses --db %s', async (db, code, stderr) => {
    const ended = await rsvp(url, ['--db', db, 'list'], { cwd: folder })
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })
})

describe('every command', () => {
  it('prefers --db to DATABASE_URL, before or after the name of the command', async () => {
    for (const place of [url, 'nonsense']) {
      expect((await rsvp(place, ['--db', many.url, 'list'])).stdout).toMatch(/^5000\tVisitor 5000\t/)
      expect((await rsvp(place, ['list', '--db', many.url])).stdout).toMatch(/^5000\tVisitor 5000\t/)
    }
  })

  it('resolves --db against the working directory, and DATABASE_URL against the project', async () => {
    const cwd = join(folder, 'data')
    const missing = 'file:./missing/rsvp.db'
    for (const db of ['file:rsvp.db', '../data/rsvp.db', join(cwd, 'rsvp.db')]) {
      expect((await rsvp(missing, ['list', '--db', db], { cwd })).stdout).toContain(CANARY)
    }
    expect((await inShell(missing, `cd '${cwd}' && rsvp list --db file:../data/rsvp.db`)).stdout).toContain(CANARY)
    const { code, stderr } = await rsvp('file:rsvp.db', ['list'], { cwd })
    expect([code, stderr]).toEqual([78, expect.stringContaining(` ${join(projectRoot, 'rsvp.db')}.`)])
  })

  it.each(['list', 'export --out - --json'])('%s ends quietly when the reader closes the pipe', async (line) => {
    const { code, stdout, stderr } = await inShell(many.url, `rsvp ${line} | head -1`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toHaveLength(2)
  })

  const unwritten = { code: 1, stderr: expect.stringMatching(/^The output cannot be written \(ENOSPC\): [^\n]+\n$/) }

  it('says that its output cannot be written', async () => {
    expect(await rsvp(url, ['list', '--json'], { output: '/dev/full' })).toMatchObject(unwritten)
  })
})

describe('a libSQL server', () => {
  it('serves the same commands as a file, and the doctor examines it', async () => {
    const server = await startLibsqlServer()
    const run = (line: string, input = '') =>
      rsvp(server.url, line.split(' '), { input, cwd: folder, env: { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' } })
    const lines: [string, number, RegExp, RegExp][] = [
      ['list --json', 0, /^\[\]\n$/, /^$/],
      ['password', 0, /^$/, /^The password is set in http:/],
      ['add --samples 25', 0, /^$/, /^Added 25 sample responses\./],
      ['export --out -', 0, /^\uFEFFId,.+\r\n25,[\s\S]+\r\n1,[\s\S]+\r\n$/, /^$/],
      [
        'delete 25 24 99 --yes',
        3,
        /^$/,
        /^Deleted 2 responses\.\nNot found: 99\. They may have been deleted already\.\n$/,
      ],
      ['restore 24 23', 3, /^$/, /^Restored 1 response\.\nNot found among the deleted: 23\./],
      ['list --deleted', 0, /^25\t[^\n]+\n$/, /^$/],
      ['delete --samples --yes', 0, /^$/, /^Removed 25 sample responses\.\n$/],
    ]
    for (const [line, code, stdout, stderr] of lines) {
      const expected = { code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) }
      expect([line, await run(line, 'three quiet otters')]).toMatchObject([line, expected])
    }
    const examined = async (url: string) => {
      const { stdout } = await rsvp(url, ['doctor', '--json'], { cwd: folder, env: { PORT: '9' } })
      const listed: { name: string; text: string }[] = JSON.parse(stdout)
      return Object.fromEntries(listed.map(({ name, text }) => [name, text]))
    }
    const findings = await examined(server.url)
    expect(findings.Database).toBe(`0 responses in ${server.url}, every page and table is whole`)
    await server.stop()
    expect(await run('list')).toMatchObject({ code: 1, stdout: '' })
    const gone = await examined(server.url.replace('://', '://me:s3cret@'))
    const away = `There is no usable database at ${server.url} (unavailable). Check that the server runs, and DATABASE_URL.`
    expect(gone.Database).toBe(away)
    expect(JSON.stringify(gone)).not.toContain('s3cret')
  })
})
