import { render, useInput } from 'ink'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { Io } from '../command.ts'

/** The terminal to draw on, and the signal that ends the drawing. */
export type Drawing = { io: Io; signal: AbortSignal; fullScreen?: boolean }

/**
 * Draws an element until it calls `done` with its result; only the first call counts, as keys can arrive together.
 * @returns undefined if a signal, e.g. of Ctrl+C, ended it first.
 */
export async function draw<Result>(
  element: (done: (result: Result) => void) => ReactElement,
  { io, signal, fullScreen = false }: Drawing,
): Promise<Result | undefined> {
  const { stdin, stdout, stderr } = io
  let ended: { result: Result } | undefined
  const screen = render(
    <Interruptible io={io}>
      {element((result) => {
        ended ??= { result }
        screen.unmount()
      })}
    </Interruptible>,
    { stdin, stdout, stderr, alternateScreen: fullScreen, exitOnCtrlC: false, interactive: true, patchConsole: false },
  )
  const leave = () => screen.unmount()
  signal.addEventListener('abort', leave)
  await screen.waitUntilExit()
  signal.removeEventListener('abort', leave)
  return ended?.result
}

export async function drawScreen<Props extends object>(
  Screen: ComponentType<Props & { onQuit: () => void }>,
  props: Props,
  drawing: Drawing,
): Promise<void> {
  await draw<void>((done) => <Screen {...props} onQuit={done} />, drawing)
}

/** While keys are read one by one, the terminal does not turn Ctrl+C into a signal. */
function Interruptible({ io, children }: { io: Io; children: ReactNode }) {
  useInput((input, key) => {
    if ((key.ctrl && input === 'c') || input.includes('\u0003')) io.emit('SIGINT')
  })
  return children
}
