import type { Surroundings } from '#db/backup/copies/place.ts'
import type { Context } from '../context.ts'

/** Long enough to say what was wrong, and to remove temporary files. */
const CLEANUP_MS = 2000

/** What work at another place needs of this process. */
export function surroundingsOf({ io, signal }: Context): Surroundings {
  return {
    signal,
    env: io.env,
    // Node waits at its end for every call of the system, and such a call never comes back.
    leftBehind: () => void setTimeout(() => io.kill(process.pid, 'SIGKILL'), CLEANUP_MS).unref(),
  }
}
