import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { CommandError, exitCodes } from '../../exit-code.ts'
import type { Io } from '../../io.ts'

/**
 * Runs an update while no other one of this folder runs. A signal ends it between two steps, never within one.
 * @throws CommandError 'failed' while another one runs.
 */
export async function updateAlone(
  folder: string,
  io: Io,
  work: (interruption: AbortSignal) => Promise<void>,
): Promise<void> {
  const lock = createServer()
  await once(lock.listen(nameOf(folder)), 'listening').catch(() => {
    throw new CommandError(exitCodes.failed, 'Another update is running here. Wait until it has ended.')
  })
  const interruption = new AbortController()
  const interrupt = () => {
    const sentence = 'The update was interrupted. Run it again, or `rsvp rollback`.'
    interruption.abort(new CommandError(exitCodes.interrupted, sentence))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) io.on(signal, interrupt)
  try {
    await work(interruption.signal)
  } finally {
    for (const signal of signals) io.off(signal, interrupt)
    lock.close()
  }
}

/** A socket without a file: it is gone with its process, however that ends. */
function nameOf(folder: string): string {
  return `\0rsvp-update-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}
