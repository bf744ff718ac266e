import type { WritableAtom } from 'nanostores'

/**
 * Makes a verb that shows a change at once and sends one change after the other, so that the last one made is the last
 * one stored. When no change is waiting any more, the store is what the server last said: a failed change leaves nothing.
 */
export function optimistic<State>($state: WritableAtom<State | undefined>) {
  let sending = Promise.resolve()
  let waiting = 0
  let stored: State

  /**
   * @param current what is shown now; what the server last said, where no change is waiting.
   * @param send gets what was stored so far, answers what is stored now, or undefined where the change failed.
   */
  return function change(
    current: State,
    changed: State,
    send: (stored: State) => Promise<State | undefined>,
  ): Promise<void> {
    if (waiting === 0) stored = current
    waiting += 1
    $state.set(changed)
    sending = sending.then(async () => {
      stored = (await send(stored)) ?? stored
      waiting -= 1
      if (waiting === 0) $state.set(stored)
    })
    return sending
  }
}
