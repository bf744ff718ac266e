import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#testing/database-fixtures.ts'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { rsvp, start, testFolder } from '../fixtures.ts'

const { folder, url } = testFolder()
const never = `file:${join(folder, 'never', 'rsvp.db')}`
/** Variables that must be set, because the command would take others from a developer's .env. */
const names = [
  'ADMIN_PASSWORD',
  'ADMIN_PASSWORD_FILE',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'RSVP_ACCESS',
  'LOG_LEVEL',
  'TRUSTED_PROXIES',
]
const plain = Object.fromEntries(names.map((name) => [name, '']))

/** Starts the site and returns once it has printed its address. */
async function serve(place: string, words: string[], env: Record<string, string> = {}) {
  const port = await freePort()
  const { child, ended } = start(place, ['serve', '--port', String(port), ...words], {
    env: { ...plain, ...withOverrides(), ...env },
  })
  const firstOutput = await Promise.race([once(child.stdout, 'data').then(String), ended.then(({ stderr }) => stderr)])
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify(body),
    })
  return { port, child, ended, firstOutput, post }
}

describe('rsvp serve', () => {
  it('puts its options before the environment, and ends with 0 after a signal', async () => {
    const file = join(folder, 'other', 'responses.db')
    const words = ['--db', `file:${file}`, '--host', '127.0.0.1']
    const { port, child, ended, firstOutput, post } = await serve(url, words, { HOST: '0.0.0.0', PORT: '99999' })
    const ready = `The RSVP site is ready at http://localhost:${port}\n`
    expect(firstOutput).toMatch(ready)
    expect((await post('rsvp', testRsvp())).status).toBe(201)
    child.kill('SIGINT')
    const stdout = `${ready}To guard it, open http://localhost:${port}/guard on this computer.\n`
    expect(await ended).toEqual({ code: 0, stdout, stderr: '' })
    expect((await rsvp(`file:${file}`, ['list'])).stdout).toContain('Ana Cole')
    expect(existsSync(url.slice('file:'.length))).toBe(false)
  })

  it('names a --port that is wrong, and makes nothing', async () => {
    const port = '65536'
    const { code, stdout, stderr } = await rsvp(never, ['serve', `--port=${port}`], { env: plain })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `error: option '--port <port>' argument '${port}' is invalid. Give a number from 0 to 65535, e.g. 4321.\nsee rsvp serve --help\n`,
    )
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })
})
