import { setTimeout as delay } from 'node:timers/promises'
import { Terminal } from '@xterm/headless'

/** A bound for what must come at all, however busy the machine is. */
export const TIMEOUT_MS = 120_000

/** A terminal's screen after everything that was written to it. */
export function openScreen(columns: number, rows: number) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true })
  let raw = ''
  // Read only once it has changed: hundreds of rows take a while.
  let lines: string | undefined
  terminal.onWriteParsed(() => {
    lines = undefined
  })

  function screen(): string {
    const { active } = terminal.buffer
    lines ??= Array.from({ length: terminal.rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    )
      .join('\n')
      .trimEnd()
    return lines
  }

  /** Waits until the screen shows a text, and returns the whole screen. */
  async function shows(text: string | RegExp): Promise<string> {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(10)) {
      if (typeof text === 'string' ? screen().includes(text) : text.test(screen())) return screen()
    }
    throw new Error(`The terminal does not show ${text}. It shows:\n${screen()}`)
  }

  return {
    screen,
    shows,
    write: (text: string) => {
      raw += text
      terminal.write(text)
    },
    /** Once everything written is on the screen. */
    drawn: () => new Promise<void>((resolve) => terminal.write('', resolve)),
    resize: (newColumns: number, newRows: number) => {
      terminal.resize(newColumns, newRows)
      lines = undefined
    },
    raw: () => raw,
    /** Whether a program has the whole screen, which hides the lines of the shell. */
    isFullScreen: () => terminal.buffer.active.type === 'alternate',
    /** Whether the terminal is again as a program that had the whole screen found it. */
    isAsBefore: () =>
      terminal.buffer.active.type === 'normal' &&
      screen() === '' &&
      raw.lastIndexOf('\u001b[?25h') >= raw.lastIndexOf('\u001b[?25l'),
  }
}
