import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyCommand } from '../scripts/testing/copy-project.mjs'
import { processInTerminal, testFolder } from './fixtures.ts'
import { runMain } from './main-fixtures.ts'

const { folder } = testFolder()

/** A copy of the installation, with the command in it. */
export function installation(name: string) {
  const place = join(folder, name)
  copyCommand(place)
  return {
    place,
    command: join(place, 'cli', 'rsvp'),
    rsvp: (...words: string[]) => runMain(words, { root: place }),
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
