import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { NO_OVERRIDES, withOverrides } from '../../scripts/testing/overrides.mjs'
import { inDatabase, inShell, rsvp, start, testFolder } from '../fixtures.ts'

const { folder } = testFolder()
const password = 'three quiet otters'
/** Includes empty values for the settings of a developer's own .env. */
const env = {
  ADMIN_PASSWORD: '',
  ADMIN_PASSWORD_FILE: '',
  HOST: '0.0.0.0',
  PORT: '',
  PUBLIC_URL: '',
  RSVP_ACCESS: '',
  LOG_LEVEL: '',
  TRUSTED_PROXIES: '',
}
const refused = 'can be reached from other machines, and no admin password is set.'
let places = 0

function emptyPlace(): string {
  return `file:${join(folder, `place ${++places}`, 'rsvp.db')}`
}

async function setPassword(url: string): Promise<void> {
  const ended = await rsvp(url, ['password', '--quiet'], { env, input: password })
  expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
}

/** Starts the site for other machines; returns what it says, how it admits this password, and how it ends. */
async function served(url: string, variables: Partial<typeof env>) {
  const port = await freePort()
  const { child, ended } = start(url, ['serve', '--port', String(port)], {
    env: { ...env, ...withOverrides(), ...variables },
  })
  const said = await Promise.race([once(child.stdout, 'data').then(String), ended.then(({ stderr }) => stderr)])
  if (!said.startsWith('The RSVP site is ready')) return { said, ...(await ended) }
  const address = `http://127.0.0.1:${port}`
  const reply = await fetch(`${address}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ password }),
  })
  const access = await (await fetch(`${address}/api/session`)).json()
  child.kill('SIGTERM')
  return { said, signIn: reply.status, access, ...(await ended) }
}

const guarded = { signIn: 204, access: { mode: 'guarded', signedIn: false }, code: 0, stderr: '' }

describe.concurrent('rsvp serve where other machines can reach it', () => {
  it('starts with ADMIN_PASSWORD, and never prints it', async () => {
    const url = emptyPlace()
    const ended = await served(url, { ADMIN_PASSWORD: password, ...NO_OVERRIDES })
    expect(ended).toMatchObject(guarded)
    expect(ended.said).toMatch(/^The RSVP site is ready at http:\/\/localhost:\d+ and /)
    expect(JSON.stringify(ended)).not.toContain(password)
    const hash = inDatabase(url, (database) => database.prepare('SELECT hash FROM passwords').get()?.hash)
    expect(hash).toMatch(/^scrypt\$/)
  })

  it('starts with the first line of ADMIN_PASSWORD_FILE, and ends with 78 where that file is missing', async () => {
    const file = join(folder, 'password')
    writeFileSync(file, `${password}\r\nsomething else\n`, { mode: 0o600 })
    expect(await served(emptyPlace(), { ADMIN_PASSWORD_FILE: file })).toMatchObject(guarded)
    const stderr = expect.stringMatching(
      /^The password in .+\/missing \(ADMIN_PASSWORD_FILE\) cannot be read \(ENOENT\)/,
    )
    const missing = await served(emptyPlace(), { ADMIN_PASSWORD_FILE: join(folder, 'missing') })
    expect(missing).toMatchObject({ code: 78, stdout: '', stderr })
  })

  it('starts once a password is set', async () => {
    const url = emptyPlace()
    await setPassword(url)
    expect(await served(url, {})).toMatchObject(guarded)
  })

  it('ends with 78 without one, and makes no database', async () => {
    const url = emptyPlace()
    const { code, stdout, stderr } = await served(url, {})
    expect([code, stdout]).toEqual([78, ''])
    expect(stderr).toMatch(`HOST=0.0.0.0 ${refused} Set one with \`npx rsvp password\`,\n`)
    expect(existsSync(url.slice('file:'.length))).toBe(false)
    expect(readdirSync(folder)).not.toContain(basename(dirname(url)))
  })

  it('ends with 78 where the password is too short, without repeating it', async () => {
    const { code, stdout, stderr } = await served(emptyPlace(), { ADMIN_PASSWORD: 'an otter' })
    expect([code, stdout]).toEqual([78, ''])
    expect(stderr).toBe('ADMIN_PASSWORD cannot be used. Give 12 to 128 characters.\n')
  })
})

describe.concurrent('rsvp doctor where a password is set', () => {
  it('says that the site is guarded, and finds nothing wrong with other machines', async () => {
    const url = emptyPlace()
    await setPassword(url)
    const { code, stdout, stderr } = await rsvp(url, ['doctor'], { env: { ...env, PORT: String(await freePort()) } })
    // No site is running.
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('ok\tMode\tguarded: only who knows the password may administer\n')
  })

  it('counts a password in the settings as set: the site stores it at its next start', async () => {
    const url = emptyPlace()
    await rsvp(url, ['init', '--yes', '--quiet'], { env })
    const settings = { ...env, ADMIN_PASSWORD: password, PORT: String(await freePort()) }
    const { stdout } = await rsvp(url, ['doctor', '--quiet'], { env: settings })
    expect(stdout).toMatch(/^wrong\tAddress\tNo site is running [^\n]+\n$/)
  })

  it('finds that the password of the settings cannot be read, so that the site would not start', async () => {
    const url = emptyPlace()
    await setPassword(url)
    const settings = { ...env, ADMIN_PASSWORD_FILE: join(folder, 'missing'), PORT: String(await freePort()) }
    const { code, stdout } = await rsvp(url, ['doctor', '--quiet'], { env: settings })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('ADMIN_PASSWORD_FILE') })
  })

  it('asks for the address of the proxy where one must be in front', async () => {
    const url = emptyPlace()
    await setPassword(url)
    const behind = { ...env, PUBLIC_URL: 'https://rsvp.example.org', PORT: String(await freePort()) }
    const without = await rsvp(url, ['doctor', '--quiet'], { env: behind })
    expect(without).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^wrong\tProxy\t.+ TRUSTED_PROXIES .+\nwrong\tAddress\t.+\n$/),
    })
    const known = await rsvp(url, ['doctor'], { env: { ...behind, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } })
    expect(known.stdout).toContain('ok\tProxy\tforwarded addresses from 127.0.0.1, 10.0.0.0/8 are trusted\n')
  })
})

describe('rsvp init where a password is set', () => {
  it('says how to start a public site, instead of what prevents it', async () => {
    const copy = join(folder, 'installation')
    copyCommand(copy)
    const url = emptyPlace()
    const init = () => inShell(url, `"${copy}/cli/rsvp" init --yes --public-url https://rsvp.example.org`)
    const before = await init()
    expect(before.code).toBe(0)
    expect(before.stderr).toMatch(
      `The settings are saved. Before the site can start: PUBLIC_URL=https://rsvp.example.org`,
    )
    await setPassword(url)
    const after = await init()
    expect([after.code, after.stdout]).toEqual([0, ''])
    expect(after.stderr).toMatch(
      /^All is set up\. Start the site with `npm start`, then open\nhttps:\/\/rsvp\.example\.org in/,
    )
    expect(after.stderr).not.toContain(refused)
  })
})

describe('a libSQL server', () => {
  it('serves the commands on access as a file does', async () => {
    const server = await startLibsqlServer()
    try {
      await setPassword(server.url)
      const lines = {
        'add --samples 3': [0, '', /^Added 3 sample responses\./],
        'delete 1 2 --yes': [0, '', /^Deleted 2 responses\.$/m],
        'restore 2 3': [3, '', /^Restored 1 response\.\nNot found among the deleted: 3\./],
        'settings publicNames=counts retentionDays=90': [
          0,
          /^publicNames\tcounts\t.+\nretentionDays\t90\t.+\n/,
          /^The settings/,
        ],
        'sessions --json': [0, /^\[\]\n$/, ''],
        'sessions --end all': [0, '', 'Ended 0 sessions.\n'],
        'delete --erase unknown@cole.example --yes': [3, '', 'Nothing is stored under that address.\n'],
      }
      for (const [line, [code, stdout, stderr]] of Object.entries(lines)) {
        const matching = (text: string | RegExp | number | undefined) =>
          text instanceof RegExp ? expect.stringMatching(text) : text
        const expected = { code, stdout: matching(stdout), stderr: matching(stderr) }
        expect([line, await rsvp(server.url, line.split(' '))]).toMatchObject([line, expected])
      }
      const { stdout } = await rsvp(server.url, ['audit'])
      expect(Array.from(stdout.matchAll(/^\S+\tterminal\t(.+)$/gm), ([, act]) => act)).toEqual([
        'settings changed\tpublicNames=counts retentionDays=90',
        'response restored\t2',
        'response deleted\t2',
        'response deleted\t1',
        'samples added\t3',
        'password set\t',
      ])
      expect((await rsvp(server.url, ['list', '--deleted'])).stdout).toMatch(/^1\t[^\n]+\n$/)
    } finally {
      await server.stop()
    }
  })
})
