import { render, useInput } from 'ink'
import type { ComponentType, ReactNode } from 'react'
import type { Io } from '../command.ts'

/** The terminal to draw on, and the signal that ends the drawing. */
export type Drawing = { io: Io; signal: AbortSignal; fullScreen?: boolean }

/**
 * Draws a component until it calls `onEnd` with its result; only the first call counts, as keys can arrive together.
 * @returns undefined if a signal, e.g. of Ctrl+C, ended it first.
 */
export async function draw<Result, Props extends object>(
  Component: ComponentType<Props & { onEnd: (result?: Result) => void }>,
  props: Props,
  { io, signal, fullScreen = false }: Drawing,
): Promise<Result | undefined> {
  const { stdin, stdout, stderr } = io
  let ended: { result?: Result | undefined } | undefined
  function onEnd(result?: Result): void {
    ended ??= { result }
    screen.unmount()
  }
  const screen = render(
    <Interruptible io={io}>
      <Component {...props} onEnd={onEnd} />
    </Interruptible>,
    { stdin, stdout, stderr, alternateScreen: fullScreen, exitOnCtrlC: false, interactive: true, patchConsole: false },
  )
  const leave = () => screen.unmount()
  signal.addEventListener('abort', leave)
  await screen.waitUntilExit()
  signal.removeEventListener('abort', leave)
  return ended?.result
}

/** While keys are read one by one, the terminal does not turn Ctrl+C into a signal. */
function Interruptible({ io, children }: { io: Io; children: ReactNode }) {
  useInput((input, key) => {
    if ((key.ctrl && input === 'c') || input.includes('\u0003')) io.emit('SIGINT')
  })
  return children
}
