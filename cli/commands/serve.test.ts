import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { inShell, rsvp, rsvpProcess, start, testFolder } from '../fixtures.ts'

const { folder, url } = testFolder()
const never = `file:${join(folder, 'never', 'rsvp.db')}`
/** Set, so that a developer's own .env does not reach into these tests. */
const plain = { HOST: '', PORT: '', PUBLIC_URL: '', RSVP_ACCESS: '', LOG_LEVEL: '' }

/** Starts the site and returns once it says where it is. */
async function serve(words: string[], env: Record<string, string> = {}) {
  const { child, ended } = start(url, ['serve', ...words], { env: { ...plain, ...env } })
  const said = await Promise.race([once(child.stdout, 'data').then(String), ended.then(({ stderr }) => stderr)])
  return { child, ended, said }
}

async function refused(words: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await rsvpProcess(never, ['serve', ...words], { env: { ...plain, ...env } })
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^[^\n]+(\n[^\n]+)?\.\n$/)
  return { code, stderr }
}

describe('rsvp serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('serves at the port it is told, and ends with 0 after %s', async (signal) => {
    const port = await freePort()
    const { child, ended, said } = await serve(['--port', String(port)])
    expect(said).toBe(`The RSVP site is ready at http://localhost:${port}\n`)
    expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()).toEqual({ status: 'ok' })
    child.kill(signal)
    expect(await ended).toEqual({ code: 0, signal: null, stdout: said, stderr: '' })
  })

  it('replies to a request in flight before it ends, also when that takes a while', async () => {
    const port = await freePort()
    const { child, ended } = await serve(['--port', String(port)])
    const body = JSON.stringify(testRsvp())
    const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
    const slow = request({ host: '127.0.0.1', port, path: '/api/rsvp', method: 'POST', headers })
    slow.flushHeaders()
    // It says by itself that it has read the beginning.
    await once(slow, 'continue')
    const replied = once(slow, 'response')
    slow.write(body.slice(0, 10))
    // The rest comes later than any other command would wait after a signal.
    child.kill('SIGTERM')
    await delay(2500)
    slow.end(body.slice(10))
    const [reply] = await replied
    expect(reply.statusCode).toBe(201)
    reply.resume()
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('puts its options before the environment', async () => {
    const port = await freePort()
    const { child, ended, said } = await serve(['--host', '127.0.0.1', '--port', String(port)], {
      HOST: '0.0.0.0',
      PORT: '99999',
    })
    expect(said).toBe(`The RSVP site is ready at http://localhost:${port}\n`)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  it('listens on the host it is told where everyone may administer', async () => {
    const port = await freePort()
    const { child, ended, said } = await serve(['--host', '0.0.0.0', '--port', String(port)], { RSVP_ACCESS: 'open' })
    expect(said).toMatch(new RegExp(`^The RSVP site is ready at http://localhost:${port} and http://`))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  it('serves another database with --db, made for this account only', async () => {
    const port = await freePort()
    const file = join(folder, 'other', 'responses.db')
    const { child, ended } = await serve(['--db', `file:${file}`, '--port', String(port)])
    const reply = await fetch(`http://127.0.0.1:${port}/api/rsvp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(testRsvp()),
    })
    expect(reply.status).toBe(201)
    child.kill('SIGTERM')
    await ended
    const listed = await inShell(`file:${file}`, 'rsvp list | cut -f2; stat -c %a "$FILE" "$(dirname "$FILE")"', {
      env: { FILE: file },
    })
    expect(listed).toMatchObject({ code: 0, stdout: 'Ana Cole\n600\n700\n' })
  })

  it.each(['abc', '65536', '-1', '', '80 '])(
    'names --port %j, which is wrong usage, and makes nothing',
    async (port) => {
      const { code, stdout, stderr } = await rsvp(never, ['serve', `--port=${port}`], { env: plain })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toBe(
        `error: option '--port <port>' argument '${port}' is invalid. Give a number from 0 to 65535, e.g. 4321.\nsee rsvp serve --help\n`,
      )
      expect(existsSync(join(folder, 'never'))).toBe(false)
    },
  )

  it('ends with 78 when a setting is wrong, and makes nothing', async () => {
    expect(await refused([], { LOG_LEVEL: 'loud' })).toMatchObject({ code: 78 })
    const { code, stderr } = await refused([], { PORT: '99999', DATABASE_URL: 'mysql://x' })
    expect(code).toBe(78)
    expect(stderr).toMatch(/^PORT is not a port.+\nDATABASE_URL is not a database.+\n$/)
    const wrongUsage = await rsvp(never, ['serve', '--db', 'mysql://x'], { env: plain })
    expect(wrongUsage).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--db is .+\nsee rsvp serve --help\n$/),
    })
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it.each([
    [['--host', '0.0.0.0'], {}, 'HOST=0.0.0.0 can be reached from other machines'],
    [[], { HOST: '0.0.0.0' }, 'HOST=0.0.0.0 can be reached from other machines'],
    [[], { PUBLIC_URL: 'https://rsvp.example.org' }, 'PUBLIC_URL=https://rsvp.example.org can be reached'],
  ])('ends with 78 where any visitor could administer: %j %j', async (words, env, sentence) => {
    const { code, stderr } = await refused([...words, '--port', '0'], env)
    expect(code).toBe(78)
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('RSVP_ACCESS=open')
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('ends with 1 when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, stderr } = await refused(['--port', port])
    other.close()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Cannot listen on 127.0.0.1, port ${port} (EADDRINUSE). Choose another PORT or HOST, or stop what uses it.\n`,
    })
  })

  it('says what to do where only the command line is built', async () => {
    const copy = join(folder, 'copy')
    copyCommand(copy)
    expect(await inShell(url, `${copy}/cli/rsvp serve`)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `The site is not built yet: run \`npm start\` once in ${copy}.\n`,
    })
  })
})
