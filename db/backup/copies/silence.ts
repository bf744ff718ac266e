import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { placeError, type Surroundings } from './place.ts'

/**
 * Runs work at a place until it is done, aborted, or silent for too long. A call of a network disk that is gone never comes
 * back and cannot be ended, so it is left behind.
 * @param work calls `moved` whenever something has arrived.
 * @throws UserError 'unavailable' when the place is silent.
 */
export async function untilSilent<Output>(
  title: string,
  { signal, silenceMs, leftBehind }: Required<Surroundings>,
  work: (moved: () => void) => Promise<Output>,
): Promise<Output> {
  const watching = new AbortController()
  let movedAt = performance.now()
  async function watch(): Promise<never> {
    for (;;) {
      const left = movedAt + silenceMs - performance.now()
      if (left <= 0) {
        leftBehind()
        throw silent(title, silenceMs)
      }
      await delay(left, undefined, { signal: AbortSignal.any([watching.signal, signal]) })
    }
  }
  try {
    const moved = () => {
      movedAt = performance.now()
    }
    return await Promise.race([work(moved), watch()])
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    watching.abort()
  }
}

export function silent(title: string, silenceMs: number) {
  const reason = `it said nothing for ${Math.ceil(silenceMs / 1000)} s`
  return placeError(title, reason, 'See whether it is there, then try again.')
}

/** Passes everything on, and tells that it moves. */
export function moving(moved: () => void): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      moved()
      done(null, chunk)
    },
  })
}
