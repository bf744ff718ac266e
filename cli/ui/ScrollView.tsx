import { Box, type DOMElement, Text, useBoxMetrics, useInput } from 'ink'
import { type ReactNode, useRef, useState } from 'react'

/** A window of `height` lines onto something that may be longer; arrows and page keys move it. */
export function ScrollView({ height, children }: { height: number; children: ReactNode }) {
  const inner = useRef<DOMElement>(null)
  const content = useBoxMetrics(inner)
  const [asked, setAsked] = useState(0)
  const last = Math.max(0, content.height - height)
  const top = Math.min(asked, last)

  useInput((input, key) => {
    if (key.upArrow || input === 'k') setAsked(Math.max(0, top - 1))
    if (key.downArrow || input === 'j') setAsked(Math.min(last, top + 1))
    if (key.pageUp) setAsked(Math.max(0, top - height))
    if (key.pageDown || input === ' ') setAsked(Math.min(last, top + height))
  })

  return (
    <Box flexDirection="column">
      <Box height={height} overflow="hidden" contentOffsetY={top} flexDirection="column">
        <Box ref={inner} flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
      <Text dimColor>{last > 0 ? `${top < last ? '↓ more below' : '↑ more above'}` : ' '}</Text>
    </Box>
  )
}
