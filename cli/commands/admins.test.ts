import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listAdministrators } from '#db/access/administrators.ts'
import { hashOfToken } from '#db/access/tokens.ts'
import { addAdministrator, auditLines } from '#testing/database-fixtures.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn, rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()
const PUBLIC_URL = 'https://rsvp.example.org'
/** Variables that must be set, because the command would take others from a developer's .env. */
const env = { PUBLIC_URL, PORT: '4321' }
const admins = (...words: string[]) => rsvp(url, ['admins', ...words], { env })
const joel = ['--name', 'Joel Doe', '--email', 'Joel@doe.example']
const link = /^https:\/\/rsvp\.example\.org\/invitation\?key=([\w-]{43})\n$/
const sent = 'Send this link to the person. It works once, for seven days, and cannot be shown again.\n'
const unknown = 'There is no such administrator: see `rsvp admins list`.\n'
let ruth: number

const present = () => listAdministrators()
/** The name of the administrator whose link was printed. */
function invited(stdout: string): unknown {
  const hash = hashOfToken(link.exec(stdout)?.[1] ?? '')
  const select = 'SELECT name FROM administrators WHERE invitation_hash = ?'
  return inDatabase(url, (database) => database.prepare(select).get(hash)?.name)
}

beforeEach(async () => {
  ruth = await addAdministrator({ seenAt: Date.UTC(2025, 0, 5) })
})
afterEach(() => inDatabase(url, (database) => database.exec('DELETE FROM administrators')))

describe('rsvp admins list', () => {
  it('prints a line for each, without a subcommand too: id, name, email, role, last seen, invited until', async () => {
    await admins('invite', ...joel, '--role', 'reader')
    const { code, stdout, stderr } = await admins()
    expect([code, stderr]).toEqual([0, ''])
    const [one, other] = stdout.trimEnd().split('\n')
    expect(one).toBe(`${ruth}\tRuth Cole\truth@cole.example\towner\t2025-01-05T00:00:00.000Z\t`)
    expect(other).toMatch(/^\d+\tJoel Doe\tjoel@doe\.example\treader\t\t\d{4}-\S+Z$/)
  })

  it('prints JSON without anything one could sign in with, and a table in a terminal', async () => {
    const listed = JSON.parse((await admins('list', '--json')).stdout)
    expect(listed).toEqual(await present())
    expect(Object.keys(listed[0]).join(' ')).toBe('id name email role seesContacts prayers seenAt invitedUntil')
    const terminal = await rsvpDrawn(url, ['admins'], { columns: 100 })
    expect(terminal.screen()).toMatch(
      /^Id +Name +Role +Email +Last seen\n\d+ +Ruth Cole +owner +ruth@cole\.example +Jan \d/,
    )
  })
})

describe('rsvp admins invite', () => {
  it('prints the link once, and stores only its hash', async () => {
    const { code, stdout, stderr } = await admins('invite', ...joel, '--role', 'reader')
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(link), sent])
    expect(invited(stdout)).toBe('Joel Doe')
    expect(await present()).toMatchObject([{}, { email: 'joel@doe.example', role: 'reader' }])
  })

  it('prints the id and the link as JSON, and warns that the link works only on this computer', async () => {
    const words = ['admins', 'invite', ...joel, '--role', 'clerk', '--json']
    const { stdout, stderr } = await rsvp(url, words, { env: { ...env, PUBLIC_URL: '' } })
    const [, { id = 0 } = {}] = await present()
    const local = expect.stringMatching(/^http:\/\/localhost:4321\/invitation\?key=[\w-]{43}$/)
    expect(JSON.parse(stdout)).toEqual({ id, link: local })
    expect(stderr).toBe(`${sent}Only this computer can open it: set PUBLIC_URL to the address that people use.\n`)
  })

  it('makes a new link for the only owner or by email, and with --owner makes the person an owner', async () => {
    const before = await present()
    expect(invited((await admins('invite', '--owner')).stdout)).toBe('Ruth Cole')
    expect(await present()).toEqual([{ ...before[0], invitedUntil: expect.any(String) }])
    await admins('invite', ...joel, '--role', 'clerk')
    expect(invited((await admins('invite', '--email', 'joel@doe.example')).stdout)).toBe('Joel Doe')
    expect((await present())[1]?.role).toBe('clerk')
    expect(invited((await admins('invite', '--owner', '--email', 'JOEL@doe.example')).stdout)).toBe('Joel Doe')
    expect((await present())[1]?.role).toBe('owner')
    const usage = expect.stringMatching(/^Say whom: .+\nsee rsvp admins invite --help\n$/)
    expect(await admins('invite', '--owner')).toMatchObject({ code: 2, stdout: '', stderr: usage })
  })

  it.each([
    [['--email', 'nemo@doe.example'], 3, unknown],
    [['--email', 'ruth@cole.example', '--role', 'clerk'], 2, /^A new link does not change what this person may do/],
    [['--name', 'Joel', '--email', 'ruth@cole.example', '--role', 'clerk'], 1, /^Another administrator has this/],
    [['--name', 'Joel', '--email', 'Joel', '--role', 'clerk'], 2, /^Invalid email address\nsee /],
    [joel, 2, /^The role is one of owner, clerk, reader\.\n/],
    [[...joel, '--owner', '--role', 'clerk'], 2, /^error: option '--owner' cannot be used with/],
  ])('refuses %j', async (words, code, stderr) => {
    const message = typeof stderr === 'string' ? stderr : expect.stringMatching(stderr)
    expect(await admins('invite', ...words)).toMatchObject({ code, stdout: '', stderr: message })
    expect(await present()).toHaveLength(1)
  })
})

describe('rsvp admins remove', () => {
  it('asks, and removes with a yes', async () => {
    const id = await addAdministrator({ name: 'Joel', email: 'joel@doe.example', role: 'clerk' })
    const terminal = rsvpInTerminal(url, ['admins', 'remove', String(id)])
    await terminal.shows(/^Remove Joel \(clerk\), and sign them out everywhere\? y\/N$/)
    terminal.press('n')
    expect(await terminal.ended).toBe(1)
    expect(await present()).toHaveLength(2)
    expect(await admins('remove', String(id))).toMatchObject({ code: 2 })
    const stdout = expect.stringContaining(`"removed": ${id}`)
    expect(await admins('remove', String(id), '--yes', '--json')).toMatchObject({ code: 0, stdout, stderr: '' })
    expect(await present()).toHaveLength(1)
    expect((await auditLines()).at(-1)).toBe(`terminal: administrator removed administrator ${id}`)
  })
})
