import { rm } from 'node:fs/promises'
import { node, rsvp, timeOf } from '../command.ts'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored } from '../stored.ts'

const STORED = 100

/** From the start of the command to its end. */
export const l1: Row = {
  id: 'L1',
  title: '`rsvp --help`, and `rsvp list` of 100 into a pipe',
  limit: '`node -e 0` of the Node that runs the command',
  rounds: 21,
  measure: async (rounds) => {
    const { folder, file: database } = await copyOfStored(STORED)
    const limit = () => timeOf([node, '-e', '0'])
    try {
      const help = await inTurns(rounds, { ours: () => timeOf([rsvp, '--help']), limit })
      const list = await inTurns(rounds, { ours: () => timeOf([rsvp, 'list'], { database }), limit })
      return [
        { name: '`rsvp --help`', unit: 'ms', ...help, target: { atMost: 1.5 } },
        { name: '`rsvp list`', unit: 'ms', ...list, target: { atMost: 2.0 } },
      ]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}
