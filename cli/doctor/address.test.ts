import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { makeDatabase, rsvp, rsvpDrawn, testFolder } from '../fixtures.ts'

const { folder, url } = testFolder()
const other = `file:${join(folder, 'other', 'rsvp.db')}`
const plain = { HOST: '', PUBLIC_URL: '', RSVP_ACCESS: '', BACKUP_DIR: '' }
let site: Awaited<ReturnType<typeof startBuiltServer>>
let sitePort = ''
let quietPort = ''

beforeAll(async () => {
  mkdirSync(dirname(url.slice('file:'.length)), { mode: 0o700 })
  site = await startBuiltServer({ DATABASE_URL: url })
  sitePort = new URL(site.url).port
  quietPort = String(await freePort())
  await makeDatabase(other)
})
afterAll(() => site.stop())

/** What is said of the address, e.g. `wrong: No site …`, and the exit code. */
async function told(database: string, env: Record<string, string>, ...words: string[]) {
  const { code, stdout } = await rsvp(database, ['doctor', ...words], { env: { ...plain, ...env } })
  const line = stdout.split('\n').find((line) => line.split('\t')[1] === 'Address')
  return [code, line?.replace('\tAddress\t', ': ')]
}

describe('rsvp doctor, of the site', () => {
  it('finds the one that serves from the database, and takes a stopped one for what it is', async () => {
    expect(await told(url, { PORT: sitePort })).toEqual([0, `ok: the site is running at ${site.url}`])
    const stopped = expect.stringMatching(/^wrong: No site is running at .+: start it, /)
    expect(await told(other, { PORT: quietPort })).toEqual([1, stopped])
  })

  it('names the address by which this computer reaches it', async () => {
    const everywhere = await told(url, { PORT: sitePort, HOST: '0.0.0.0', RSVP_ACCESS: 'open' })
    expect(everywhere).toEqual([0, `ok: the site is running at http://localhost:${sitePort}`])
    expect((await told(url, { PORT: sitePort, HOST: '::1' }))[1]).toContain(`http://[::1]:${sitePort}:`)
    const unknown = 'wrong: HOST=rsvp.invalid is not an address of this computer: change it.'
    expect((await told(url, { PORT: sitePort, HOST: 'rsvp.invalid' }))[1]).toBe(unknown)
  })

  it('asks the lock where one serves, also at another port, and marks a warning in a terminal', async () => {
    const elsewhere = expect.stringMatching(/^warning: A site serves from .+, but not at /)
    expect(await told(url, { PORT: quietPort })).toEqual([0, elsewhere])
    expect(await told(url, { PORT: quietPort }, '--strict')).toEqual([1, elsewhere])
    const terminal = await rsvpDrawn(url, ['doctor'], { env: { ...plain, PORT: quietPort } })
    expect(terminal.screen()).toMatch(/^! Address +A site serves from/m)
  })

  it('notices that the site at the address serves from another database', async () => {
    const foreign = expect.stringMatching(/^wrong: The site at .+ does not serve from /)
    expect(await told(other, { PORT: sitePort })).toEqual([1, foreign])
    // A backup, for instance, is looked at all the same.
    expect((await told(url, { PORT: sitePort }, '--db', other))[1]).toMatch(/^warning: /)
    expect(readdirSync(join(folder, 'other')).filter((name) => name.endsWith('-site'))).toEqual([])
  })

  it.each<[string, () => Server]>([
    ['has a page for everything', () => createHttpServer((_, reply) => reply.end('<h1>Welcome</h1>'))],
    ['speaks no HTTP', () => createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n'))],
  ])('notices that what listens in place of the site %s', async (_, serverOf) => {
    const server = serverOf().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const place = server.address()
    const PORT = typeof place === 'object' ? String(place?.port) : ''
    expect((await told(other, { PORT }))[1]).toMatch(new RegExp(`^wrong: .*http://127.0.0.1:${PORT}`))
    server.close()
  })

  it('says of a site that is not well what it says of itself', async () => {
    const file = url.slice('file:'.length)
    renameSync(file, `${file}.away`)
    await vi.waitFor(async () => expect((await fetch(`${site.url}/api/health`)).status).toBe(503))
    const sentence = 'The database cannot be reached at the moment. Try again in a few seconds.'
    expect((await told(url, { PORT: sitePort }))[1]).toBe(`wrong: The site at ${site.url} is unhealthy: ${sentence}`)
    renameSync(`${file}.away`, file)
  })
})
