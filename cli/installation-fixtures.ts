import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyCommand } from '../scripts/testing/copy-project.mjs'
import { processInTerminal, testFolder } from './fixtures.ts'
import { runMain } from './main-fixtures.ts'

const { folder } = testFolder()

/** A copy of the installation, because settings are written into the folder of package.json. */
export function installation(name: string, more: string[] = []) {
  const place = join(folder, name)
  copyCommand(place, more)
  const command = join(place, 'cli', 'rsvp')
  const untouched = readdirSync(place)

  async function rsvp(...words: string[]) {
    const { code, stdout, stderr } = await runMain(words, { root: place })
    return { code, stdout, stderr }
  }

  /** Through the launcher, which creates files as well. */
  function rsvpProcess(...words: string[]) {
    const { status, stdout, stderr } = spawnSync(command, words, { cwd: '/', env: {}, encoding: 'utf8', input: '' })
    return { code: status, stdout, stderr }
  }

  return {
    place,
    command,
    rsvp,
    rsvpProcess,
    env: () => readFileSync(join(place, '.env'), 'utf8'),
    mode: (path: string) => (statSync(join(place, path)).mode & 0o777).toString(8),
    event: async () => JSON.parse((await rsvp('event', '--json')).stdout),
    expectUntouched: () => expect(readdirSync(place)).toEqual(untouched),
  }
}

/** Whether root can try what another account would see: the project may lie in a folder that only root may look into. */
export function canBecome(account: number): boolean {
  const words = [`--reuid=${account}`, `--regid=${account}`, '--clear-groups', 'test', '-x']
  return process.getuid?.() === 0 && spawnSync('setpriv', [...words, join(projectRoot, 'cli', 'rsvp')]).status === 0
}

/** A command of an installation in a terminal. */
export function inTerminal(command: string, ...words: string[]) {
  const terminal = processInTerminal(command, words, undefined, { columns: 100, rows: 30 })
  const { screen, press } = terminal
  const shownLast = (question: string, text: string | RegExp) =>
    vi.waitFor(() => {
      const [last = '', ...before] = screen().replaceAll('\n', '').split(question).reverse()
      expect([before.length > 0, last]).toEqual([true, expect.stringMatching(text)])
    })

  /** Types a text if there is one, once the question is there with nothing but its default, and presses enter. */
  async function enter(question: string, text = '') {
    await shownLast(question, /^( \(.*\))?$/)
    press(text)
    await shownLast(question, text)
    press('\r')
  }

  return { ...terminal, enter }
}
