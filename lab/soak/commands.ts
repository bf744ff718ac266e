import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import { startClients } from '../clients.ts'
import { EMAILS } from './calls.ts'

const PAUSE_MS = 3000
const NOT_FOUND = 3

/** Runs one command after the other beside the site. `stop` resolves with what went wrong. */
export function startRepeatedCommands(folder: string): { stop(): Promise<string[]> } {
  const environment = localEnvironment({ DATABASE_URL: `file:${join(folder, 'rsvp.db')}` })
  const stopping = new AbortController()
  const errors: string[] = []
  let number = 0
  const administrator = startClients(1, async () => {
    const words = wordsOf(number++, folder)
    const { code, output } = await run(join(root, 'cli', 'rsvp'), words, environment)
    const isFine = code === 0 || (code === NOT_FOUND && words.includes('--erase'))
    if (!isFine) errors.push(`rsvp ${words.join(' ')} ended with ${code}: ${output.slice(0, 200)}`)
    await wait(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
  })

  return {
    async stop() {
      stopping.abort()
      await administrator.stop()
      return errors
    },
  }
}

/** Every other command erases the RSVPs of one address. */
function wordsOf(number: number, folder: string): string[] {
  const half = Math.floor(number / 2)
  if (number % 2 === 1) return ['delete', '--yes', '--erase', EMAILS[half % EMAILS.length] ?? '']
  const others = [
    ['list', '--json'],
    ['stats'],
    ['export', '--force', '--out', join(folder, 'rsvps.csv')],
    ['audit', '--limit', '100'],
    ['backup', '--keep', '2', '--create-folder', '--out', join(folder, 'backups')],
    ['features'],
  ]
  return others[half % others.length] ?? []
}
