import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { errorCodeOf } from '#db/process/errors.ts'
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
  const lock = await lockIn(folder)
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

/**
 * A socket in a folder that only whoever updates may write to. Its file may outlive its process, but then no one listens.
 * @throws CommandError 'failed' while another update runs.
 */
async function lockIn(folder: string): Promise<Server> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'update.lock')
  const isHeld = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => resolve(true)).once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
  if (isHeld) throw new CommandError(exitCodes.failed, 'Another update is running here. Wait until it has ended.')
  await rm(path, { force: true })
  const lock = createServer((socket) => socket.destroy())
  await once(lock.listen(path), 'listening').catch((error) => {
    throw new CommandError(
      exitCodes.failed,
      `${path} cannot be made (${errorCodeOf(error)}): use the account that updates.`,
    )
  })
  return lock
}
