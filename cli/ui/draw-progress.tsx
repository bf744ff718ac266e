import { ProgressBar } from '@inkjs/ui'
import { Box, render, Text } from 'ink'
import type { Io } from '../io.ts'

/** To the line above, which is then empty (ECMA-48: CUU, EL). */
const LINE_UP = '\u001b[1A\u001b[2K'

/** A bar on standard error that goes away when it is closed. */
export function drawProgress(title: string, total: number, { stderr }: Io) {
  const bar = (done: number) => (
    <Box gap={1}>
      <Text>
        {title} {done.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </Text>
      <Box width={30}>
        <ProgressBar value={(100 * done) / Math.max(1, total)} />
      </Box>
    </Box>
  )
  const drawing = render(bar(0), { stdout: stderr, exitOnCtrlC: false, interactive: true, patchConsole: false })
  return {
    report: (done: number) => drawing.rerender(bar(done)),
    close: () => {
      // Unmounting draws the last frame again, and a line break after it.
      drawing.rerender(null)
      drawing.unmount()
      stderr.write(LINE_UP)
    },
  }
}
