/**
 * So long nothing may be pressed before keys are heard, in ms: longer than who types fast pauses in a word, and than Ink
 * takes to draw.
 */
const QUIET = 450

/** Calls `begin` once nobody has pressed a key for a while; `again` is for a key that was pressed before then. */
export function onceQuiet(begin: () => void): { again: () => void; stop: () => void } {
  let timer: NodeJS.Timeout
  let turn: NodeJS.Immediate | undefined
  function again(): void {
    stop()
    // Timers come before input: what was pressed while this process was busy is read in the turn between.
    timer = setTimeout(() => {
      turn = setImmediate(begin)
    }, QUIET)
  }
  function stop(): void {
    clearTimeout(timer)
    clearImmediate(turn)
  }
  again()
  return { again, stop }
}
