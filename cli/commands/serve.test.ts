import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { inShell, rsvp, start, testFolder } from '../fixtures.ts'

const { folder, url } = testFolder()
const never = `file:${join(folder, 'never', 'rsvp.db')}`
/** Set, so that a developer's own .env does not reach into these tests. */
const plain = {
  ADMIN_PASSWORD: '',
  ADMIN_PASSWORD_FILE: '',
  HOST: '',
  PORT: '',
  PUBLIC_URL: '',
  RSVP_ACCESS: '',
  LOG_LEVEL: '',
  TRUSTED_PROXIES: '',
}

/** Starts the site and returns once it says where it is. */
async function serve(place: string, words: string[], env: Record<string, string> = {}) {
  const port = await freePort()
  const { child, ended } = start(place, ['serve', '--port', String(port), ...words], {
    env: { ...plain, ...withOverrides(), ...env },
  })
  const said = await Promise.race([once(child.stdout, 'data').then(String), ended.then(({ stderr }) => stderr)])
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify(body),
    })
  return { port, child, ended, said, post }
}

describe('rsvp serve', () => {
  it('puts its options before the environment, makes its database for this account only, and ends with 0', async () => {
    const file = join(folder, 'other', 'responses.db')
    const words = ['--db', `file:${file}`, '--host', '127.0.0.1']
    const { port, child, ended, said, post } = await serve(url, words, { HOST: '0.0.0.0', PORT: '99999' })
    const ready = `The RSVP site is ready at http://localhost:${port}\n`
    expect(said).toMatch(ready)
    expect((await post('rsvp', testRsvp())).status).toBe(201)
    child.kill('SIGINT')
    const stdout = `${ready}To guard it, open http://localhost:${port}/guard on this computer.\n`
    expect(await ended).toEqual({ code: 0, signal: null, stdout, stderr: '' })
    const listed = await inShell(`file:${file}`, 'rsvp list | cut -f2; stat -c %a "$FILE" "$(dirname "$FILE")"', {
      env: { FILE: file },
    })
    expect(listed).toMatchObject({ code: 0, stdout: 'Ana Cole\n600\n700\n' })
    expect(existsSync(url.slice('file:'.length))).toBe(false)
  })

  it('replies to a request in flight before it ends, also when that takes a while', async () => {
    const { port, child, ended } = await serve(url, [])
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

  it.each(['65536', '80 '])('names --port %j, which is wrong usage, and makes nothing', async (port) => {
    const { code, stdout, stderr } = await rsvp(never, ['serve', `--port=${port}`], { env: plain })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `error: option '--port <port>' argument '${port}' is invalid. Give a number from 0 to 65535, e.g. 4321.\nsee rsvp serve --help\n`,
    )
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('says what to do where only the command line is built', async () => {
    const copy = join(folder, 'copy')
    copyCommand(copy)
    const stderr = `The site is not built yet: run \`npm start\` once in ${copy}.\n`
    expect(await inShell(url, `${copy}/cli/rsvp serve`)).toMatchObject({ code: 1, stdout: '', stderr })
  })
})
