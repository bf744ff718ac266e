import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rsvp, start, testResponses } from '../fixtures.ts'

/** Enough responses that an export is still under way when it is interrupted. */
const { url, folder } = testResponses(60_000)

function emptyFolder(): string {
  return mkdtempSync(join(folder, 'place-'))
}

/** The text of the only file in a folder. */
function onlyFile(place: string): { name: string; text: string } {
  const [name = '', ...others] = readdirSync(place)
  expect(others).toEqual([])
  return { name, text: readFileSync(join(place, name), 'utf8') }
}

describe('an export that is interrupted', () => {
  /** An export that has written a part of its file. */
  async function begun(cwd: string) {
    const running = start(url, ['export', '--out', 'a.csv', '--force'], { cwd })
    const isItsOwn = (name: string) => name.includes(`-${running.child.pid}.`)
    while (!readdirSync(cwd).some((name) => isItsOwn(name) && statSync(join(cwd, name)).size > 0)) await delay(1)
    return running
  }

  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

  it.each(Object.keys(signals) as (keyof typeof signals)[])('leaves only the old file after %s', async (signal) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'a.csv'), 'mine')
    const { child, ended } = await begun(cwd)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: signals[signal], stdout: '' })
    expect(onlyFile(cwd)).toEqual({ name: 'a.csv', text: 'mine' })
  })

  it('leaves no file while another process locks the database', async () => {
    const cwd = emptyFolder()
    const { child, ended } = await begun(cwd)
    const holder = new DatabaseSync(url.slice('file:'.length), { timeout: 60_000 })
    holder.exec('BEGIN EXCLUSIVE')
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    holder.close()
    expect(readdirSync(cwd)).toEqual([])
  })

  it('leaves a temporary file after kill -9, which doctor names and the next export removes, and no other', async () => {
    const cwd = emptyFolder()
    const foreign = `.a.csv.${randomUUID()}.tmp`
    writeFileSync(join(cwd, foreign), 'of another program')
    const long = new Date(Date.now() - 48 * 3600 * 1000)
    utimesSync(join(cwd, foreign), long, long)
    const killed = await begun(cwd)
    // It would be at its end before the other one has begun.
    killed.child.kill('SIGSTOP')
    const other = await begun(cwd)
    other.child.kill('SIGSTOP')
    const unfinished = () => readdirSync(cwd).filter((name) => name.startsWith('.') && name !== foreign)
    killed.child.kill('SIGKILL')
    await killed.ended
    const [left = ''] = unfinished().filter((name) => name.includes(`-${killed.child.pid}.`))
    const { stdout } = await rsvp(url, ['doctor'], { cwd })
    expect(stdout).toMatch(/^wrong\tLeftovers\t/m)
    expect(stdout).toContain(join(cwd, left))
    expect(stdout).not.toContain(foreign)
    const running = unfinished().filter((name) => name !== left)
    for (const name of running) utimesSync(join(cwd, name), new Date(), new Date())
    expect((await rsvp(url, ['export', '--out', 'b.csv'], { cwd })).code).toBe(0)
    expect(unfinished()).toEqual(running)
    expect(running).toHaveLength(1)
    expect((await rsvp(url, ['doctor'], { cwd })).stdout).not.toContain('Leftovers')
    other.child.kill('SIGKILL')
    await other.ended
    expect(readdirSync(cwd)).toContain(foreign)
  })

  it('ends although no process reads its output', async () => {
    const { child, ended } = start(url, ['export', '--out', '-'])
    child.stdout.once('data', () => {
      child.stdout.pause()
      child.kill('SIGINT')
    })
    child.once('exit', () => child.stdout.resume())
    expect((await ended).code).toBe(130)
  })
})
