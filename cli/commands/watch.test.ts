import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { hostile, inShell, obeyed, rsvp, rsvpInTerminal, start, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()

beforeAll(async () => {
  for (const name of ['Old One', 'Old Two']) await respond({ name })
})

async function respond(fields: Record<string, unknown>): Promise<number> {
  return (await createRsvp(testRsvp(fields), testCall())).id
}

/** Responds again and again until the command notices: one that has just started may not be watching yet. */
async function knock(noticed: () => boolean): Promise<void> {
  while (!noticed()) {
    await respond({ name: 'Knock Knock', email: 'knock@knock.example' })
    await delay(200)
  }
}

/** The command in a pipe once it watches; `printed` waits for a line that begins so and returns all lines. */
async function watching(words: string[] = [], env: Record<string, string> = {}) {
  const { child, ended } = start(url, ['watch', ...words], { env })
  let text = ''
  child.stdout.on('data', (more) => (text += more))
  async function printed(beginning: string): Promise<string[]> {
    while (
      !text
        .split('\n')
        .slice(0, -1)
        .some((line) => line.startsWith(beginning))
    )
      await delay(20)
    return text.split('\n').slice(0, -1)
  }
  await knock(() => text !== '')
  return { child, ended, printed }
}

describe('rsvp watch in a pipe', () => {
  it('prints responses as they come in from another process, oldest first, and none from before', async () => {
    const { child, ended, printed } = await watching()
    const first = await respond({ name: 'Ana Cole', familyMembers: [{ name: 'Joel' }], volunteerRoles: [2] })
    const last = await respond({ name: 'Bao Nguyen', attending: false, message: 'Sorry,\nwe are away' })
    const lines = await printed(`${last}\t`)
    const moment = testCall().now.toISOString()
    expect(lines.slice(-2)).toEqual([
      `${first}\tAna Cole\tana@cole.example\t\t\tAttending\tJoel\tUsher\t\t${moment}\t2025-01-11\t`,
      `${last}\tBao Nguyen\tana@cole.example\t\tSorry, we are away\tNot Attending\t\t\t\t${moment}\t2025-01-11\t`,
    ])
    expect(lines.slice(0, -2).filter((line) => !line.includes('\tKnock Knock\t'))).toEqual([])
    const ids = lines.map((line) => Number(line.split('\t')[0]))
    expect(ids).toEqual(ids.map((_, position) => last + 1 - ids.length + position))
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stderr: '', stdout: `${lines.join('\n')}\n` })
  })

  it('misses none of many that come at once, and prints none twice', async () => {
    const { child, ended, printed } = await watching(['--quiet'])
    const made = await Promise.all(Array.from({ length: 300 }, () => respond({ name: 'One of Many' })))
    const lines = await printed(`${Math.max(...made)}\t`)
    const ids = lines.filter((line) => line.includes('\tOne of Many\t')).map((line) => Number(line.split('\t')[0]))
    expect(ids).toEqual(made.toSorted((a, b) => a - b))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143, stderr: '' })
  })

  it('prints a JSON object a line, exactly as it is stored, and nothing that a terminal would obey', async () => {
    const { child, ended, printed } = await watching(['--json'])
    const id = await respond({ name: hostile, message: hostile, familyMembers: [{ name: hostile }] })
    const lines = await printed(`{"id":${id},`)
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(await getRsvp({ id: String(id) }, testCall()))
    expect(lines.at(-1)).not.toMatch(obeyed)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })

  it('goes on after another process has kept the database locked for long', async () => {
    const { child, ended, printed } = await watching([], withOverrides({ REQUEST_DEADLINE_MS: 1000 }))
    const holder = new DatabaseSync(join(folder, 'data', 'rsvp.db'), { timeout: 60_000 })
    holder.exec('BEGIN EXCLUSIVE')
    // Longer than the second that one question to the database may take here, and the one between two of them.
    await delay(3000)
    holder.close()
    const id = await respond({ name: 'Ana Cole' })
    await printed(`${id}\t`)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stderr: '' })
  })

  it('ends quietly when the reader closes the pipe', async () => {
    let over = false
    const ended = inShell(url, 'rsvp watch | head -1').finally(() => {
      over = true
    })
    await knock(() => over)
    expect(await ended).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\tKnock.*\n$/),
    })
  })

  it('prints lines of words, no tab, where a dumb terminal knows no screen', async () => {
    const terminal = rsvpInTerminal(url, ['watch'], { env: { TERM: 'dumb' }, columns: 200 })
    await knock(() => terminal.raw().includes('Knock Knock'))
    expect(terminal.raw()).toMatch(/^\d+ {2}Knock Knock {2}knock@knock\.example {2}/)
    expect(terminal.raw()).not.toContain('\t')
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
  })

  it('refuses an argument', async () => {
    expect(await rsvp(url, ['watch', 'me'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('rsvp watch on a terminal', () => {
  it('shows responses as they come in, the newest on top, and leaves the terminal as it was', async () => {
    const terminal = rsvpInTerminal(url, ['watch'], { columns: 100 })
    await terminal.shows('Waiting for the first one…')
    await knock(() => terminal.screen().includes('Knock Knock'))
    await respond({ name: 'Ana Cole' })
    await respond({ name: hostile, attending: false, email: 'eve@doe.example' })
    const screen = await terminal.shows(
      /^\d+ +Eve {2}Doe +✗ Not Attending .*\n\d+ +Ana Cole +✓ Attending .*\n\d+ +Knock Knock/m,
    )
    expect(screen).toMatch(/^Responses as they come in {2}\d+ so far: \d+ attending, 1 not attending\n/)
    expect(screen).toMatch(/^Id +Name +Status +Date +Family Members +Email$/m)
    expect(screen).not.toContain('Old One')
    for (const harmful of ['\u001b]0;', '\u0007', '\u001b[5m', '\u009b', '\u2028', '\u202e', '\u2066']) {
      expect(terminal.raw()).not.toContain(harmful)
    }
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
    expect(terminal.isAsBefore()).toBe(true)
  })

  it('fits into 40 columns, and into more once the terminal grows', async () => {
    const terminal = rsvpInTerminal(url, ['watch'], { columns: 40, rows: 12 })
    await terminal.shows('Waiting for the first one…')
    await knock(() => terminal.screen().includes('Knock Knock'))
    await terminal.shows(/^Name +Status$(.*\n)+^Knock Knock +✓ Attending$/m)
    terminal.resize(100, 24)
    await terminal.shows(/^Id +Name +Status +Date +Family Members +Email$/m)
    expect(terminal.screen()).toMatch(/^\d+ +Knock Knock +✓ Attending .*knock@knock\.example$/m)
    terminal.press('\u001b')
    expect(await terminal.ended).toBe(0)
  })
})
