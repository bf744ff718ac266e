/**
 * How long no key may have been pressed before keys count: longer than a fast typist pauses within a word, and longer than
 * Ink takes to draw.
 */
const QUIET_MS = 450

/** Calls `begin` once no key has been pressed for a while; `again` starts the wait anew after a key press. */
export function onceQuiet(begin: () => void): { again: () => void; stop: () => void } {
  let timer: NodeJS.Timeout
  let turn: NodeJS.Immediate | undefined
  function again(): void {
    stop()
    // Timers run before input is read: keys pressed while the process was busy arrive before the immediate.
    timer = setTimeout(() => {
      turn = setImmediate(begin)
    }, QUIET_MS)
  }
  function stop(): void {
    clearTimeout(timer)
    clearImmediate(turn)
  }
  again()
  return { again, stop }
}
