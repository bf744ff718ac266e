import { render, useInput } from 'ink'
import type { ReactElement, ReactNode } from 'react'

/**
 * Draws an element until it calls `done` with what came of it.
 * @returns undefined when a signal ended it before; Ctrl+C is one as well.
 */
export async function draw<Result>(
  element: (done: (result: Result) => void) => ReactElement,
  { signal, fullScreen = false }: { signal: AbortSignal; fullScreen?: boolean },
): Promise<Result | undefined> {
  let result: Result | undefined
  const screen = render(
    <Interruptible>
      {element((given) => {
        result = given
        screen.unmount()
      })}
    </Interruptible>,
    { alternateScreen: fullScreen, exitOnCtrlC: false, interactive: true, patchConsole: false },
  )
  const leave = () => screen.unmount()
  signal.addEventListener('abort', leave)
  await screen.waitUntilExit()
  signal.removeEventListener('abort', leave)
  return result
}

/** While keys are read one by one, the terminal makes no signal of Ctrl+C. */
function Interruptible({ children }: { children: ReactNode }) {
  useInput((input, key) => {
    if ((key.ctrl && input === 'c') || input.includes('\u0003')) process.emit('SIGINT')
  })
  return children
}
