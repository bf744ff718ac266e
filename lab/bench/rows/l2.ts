import { rm } from 'node:fs/promises'
import { spawn } from '@lydell/node-pty'
import { environmentOf, node, rsvp, timeOf } from '../command.ts'
import { MEASURED_CORE, onCore } from '../cores.ts'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored } from '../stored.ts'

const STORED = 100

/** From the start of the command to the first thing that it draws in a real terminal. */
export const l2: Row = {
  id: 'L2',
  title: 'first frame of `rsvp list` in a terminal',
  limit: '`node -e 0` of the Node that runs the command',
  rounds: 15,
  measure: async (rounds) => {
    const { folder, file } = await copyOfStored(STORED)
    try {
      const samples = await inTurns(rounds, {
        ours: () => firstFrame(['list'], file, 'RSVP Responses'),
        limit: () => timeOf([node, '-e', '0']),
      })
      return [{ name: 'first frame', unit: 'ms', ...samples, target: { atMost: 8.5 } }]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

/** How long it takes, in ms, until a text is on the screen. */
function firstFrame(words: string[], database: string, text: string): Promise<number> {
  const [command = '', ...args] = [...onCore(MEASURED_CORE), rsvp, ...words]
  const started = performance.now()
  const terminal = spawn(command, args, {
    cols: 100,
    rows: 30,
    env: { ...environmentOf(database), TERM: 'xterm-256color' },
  })
  return new Promise((resolve, reject) => {
    let seen = ''
    let ms: number | undefined
    terminal.onData((part) => {
      seen += part
      if (ms !== undefined || !seen.includes(text)) return
      ms = performance.now() - started
      terminal.kill()
    })
    // Only then the next round begins.
    terminal.onExit(() => (ms === undefined ? reject(new Error(`It never drew ${text}:\n${seen}`)) : resolve(ms)))
  })
}
