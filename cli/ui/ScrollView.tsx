import { Box, type DOMElement, Text, useBoxMetrics } from 'ink'
import { type ReactNode, useRef, useState } from 'react'
import { distanceOf, useKeys } from './keys.ts'

/** A window of `height` lines onto something that may be longer; arrows and page keys move it. */
export function ScrollView({ height, children }: { height: number; children: ReactNode }) {
  const inner = useRef<DOMElement>(null)
  const content = useBoxMetrics(inner)
  const [asked, setAsked] = useState(0)
  const last = Math.max(0, content.height - height)
  const top = Math.min(asked, last)

  useKeys(({ key }) => {
    const by = key === ' ' ? height : distanceOf(key, height, last)
    setAsked(Math.max(0, Math.min(last, top + by)))
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
