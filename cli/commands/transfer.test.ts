import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { testPassword } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { serverToken } from '#db/storage/server-token-fixtures.ts'
import { everythingInFile, everythingOn, fillEverything, migrationRunOn } from '#db/transfer/fixtures.ts'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { inDatabase, rsvp, rsvpInTerminal, start, testFolder, testResponses } from '../fixtures.ts'

type Server = Awaited<ReturnType<typeof startLibsqlServer>>

async function withServer(use: (server: Server) => Promise<void>, variables: Record<string, string> = {}) {
  const server = await startLibsqlServer(variables)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

function api(site: { url: string }, path: string, headers: Record<string, string> = {}, body?: unknown) {
  return fetch(site.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

describe('rsvp transfer', () => {
  const place = testFolder()
  const file = place.url.slice('file:'.length)
  beforeAll(async () => {
    await openDatabase(place.url)
    await fillEverything()
    await closeDatabase()
  })

  it('brings everything to a site on the server: responses, the old password, the next number', () =>
    withServer(async ({ url }) => {
      const before = await everythingInFile(file)
      const { code, stdout, stderr } = await rsvp(place.url, ['transfer', url])
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      expect(stderr.trimEnd().split('\n')).toEqual([
        expect.stringMatching(
          /^Copied 10 responses, 8 family members, 7 volunteer roles, \d+ lines of the audit .*\.$/,
        ),
        expect.stringMatching(/^Compared \d+ rows of \d+ tables: all are the same\. .*rsvp\.db stays as it was\.$/),
        `Set DATABASE_URL=${url} in .env and restart the site.`,
      ])
      expect(await everythingOn(url)).toEqual(before)
      expect(await everythingInFile(file)).toEqual(before)

      const site = await startBuiltServer({ DATABASE_URL: url })
      const entered = await api(site, '/api/session', {}, { password: testPassword })
      expect(entered.status).toBe(204)
      const cookie = entered.headers
        .getSetCookie()
        .map((set) => set.split(';')[0])
        .join('; ')
      const responses = await (await api(site, '/api/rsvps', { cookie })).json()
      expect(responses.map(({ name }: { name: string }) => name)).toEqual([
        'Kim',
        ...Array.from({ length: 8 }, () => 'Ana Cole'),
      ])
      const sent = { name: 'New One', email: 'new@cole.example', attending: true }
      expect(await (await api(site, '/api/rsvp', { cookie }, sent)).json()).toMatchObject({ id: 12 })
      await site.stop()
    }))

  it.each([
    ['file:./other.db', 'Give the address of a libSQL server'],
    ['http://', 'Give the address of a libSQL server'],
    ['http://me:secret@db.example.org', 'DATABASE_AUTH_TOKEN'],
  ])('refuses %s with a sentence', async (url, sentence) => {
    const { code, stdout, stderr } = await rsvp(place.url, ['transfer', url])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  it('refuses a damaged file, a server to copy from, one that holds something or is away, and a file that is not there', () =>
    withServer(async ({ url, kill }) => {
      const damaged = testFolder()
      await openDatabase(damaged.url)
      await closeDatabase()
      inDatabase(damaged.url, (database) =>
        database.exec("PRAGMA foreign_keys=OFF; INSERT INTO family_members VALUES (9, 0, 'Orphan', NULL, 1, 0)"),
      )
      const from = async (origin: string, ...words: string[]) => {
        const { code, stdout, stderr } = await rsvp(origin, ['transfer', url, ...words])
        return [code, stdout + stderr]
      }
      expect(await from(damaged.url)).toEqual([78, expect.stringContaining('is damaged')])
      expect(Object.keys(await everythingOn(url))).toEqual(['schema'])
      expect(await from(url)).toEqual([2, expect.stringContaining('--db file:')])
      const [code, printed] = await from(place.url, '--json')
      expect([code, JSON.parse(String(printed))]).toEqual([
        0,
        { url, rows: expect.objectContaining({ rsvps: 10, administrators: 1 }) },
      ])
      expect(await from(place.url)).toEqual([1, expect.stringContaining('is not empty')])
      await kill()
      const away = `${url} cannot be reached. Check the address and that the server runs, then run the command again.\n`
      expect(await from(place.url)).toEqual([1, away])
      expect(await from(`${place.url}.none`)).toEqual([78, expect.any(String)])
      expect(readdirSync(join(file, '..')).filter((name) => name.includes('none'))).toEqual([])
    }))

  it('takes the token of the server from the environment, and is refused while a site serves from the file, unless forced', () => {
    const { variables, token } = serverToken()
    return withServer(async ({ url }) => {
      expect(await rsvp(place.url, ['transfer', url])).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('DATABASE_AUTH_TOKEN'),
      })
      const DATABASE_AUTH_TOKEN = token()
      const env = { DATABASE_AUTH_TOKEN }
      const site = await startBuiltServer({ DATABASE_URL: place.url })
      // Its first maintenance removes what has expired, also from what is compared.
      const isKept = () => inDatabase(place.url, (rows) => rows.prepare('SELECT 1 FROM mail_queue, challenges').get())
      await vi.waitFor(() => expect(isKept()).toBeUndefined(), 10_000)
      const refused = { code: 1, stderr: expect.stringContaining('--force') }
      expect(await rsvp(place.url, ['transfer', url], { env })).toMatchObject(refused)
      const forced = await rsvp(place.url, ['transfer', url, '--force', '--quiet'], { env })
      await site.stop()
      expect(forced).toMatchObject({ code: 0, stdout: '', stderr: '' })
      expect(await everythingOn(url, DATABASE_AUTH_TOKEN)).toEqual(await everythingInFile(file))
    }, variables)
  })
})

describe('rsvp transfer that is interrupted', () => {
  const place = testResponses(2000)
  const pauses = process.env.SWEEP === 'whole' ? [0, 10, 20, 40, 60, 80, 100, 120, 140, 160] : [0, 60]

  it('leaves nothing that a site would take for the responses, and can be run again, ended by Ctrl+C or killed', () =>
    withServer(async ({ url, pause: pauseServer, goOn }) => {
      const untilBegun = async (before: unknown) => {
        while ((await migrationRunOn(url)) === before) await delay(5)
      }
      const nothing = await migrationRunOn(url)
      const terminal = rsvpInTerminal(place.url, ['transfer', url])
      await untilBegun(nothing)
      // On a quiet machine it would be over before there is a bar.
      pauseServer()
      await terminal.shows(/Copying|Comparing/)
      terminal.press('\u0003')
      goOn()
      expect(await terminal.ended).toBe(130)
      for (const pause of pauses) {
        const before = await migrationRunOn(url)
        const { child, ended } = start(place.url, ['transfer', url])
        await untilBegun(before)
        await delay(pause)
        child.kill('SIGKILL')
        await ended
        expect(await rsvp(url, ['stats'])).toMatchObject({ code: 78, stderr: expect.stringContaining('transfer') })
      }
      expect((await rsvp(place.url, ['transfer', url])).code).toBe(0)
      expect(await everythingOn(url)).toEqual(await everythingInFile(place.url.slice('file:'.length)))
    }))
})
