import { AsyncLocalStorage } from 'node:async_hooks'

const repeatable = new AsyncLocalStorage<true>()

/**
 * Runs a write that may be sent again when nobody knows whether it arrived: doing it twice is the same as doing it once,
 * and answers the same. Other writes are given up then.
 */
export function mayRepeat<Output>(write: () => Output): Output {
  return repeatable.run(true, write)
}

/** Whether the write that is just being made may be sent again. */
export function isRepeatable(): boolean {
  return repeatable.getStore() === true
}
