import { Box, Text } from 'ink'

const LABEL_WIDTH = 24
const COUNT_WIDTH = 5
const LONGEST_BAR = 30

type Bar = { label: string; count: number; color?: string }

/** Counts below a title, each with a bar in proportion to the largest; `width` is that of the terminal. */
export function Bars({ title, bars, width }: { title: string; bars: Bar[]; width: number }) {
  const longest = Math.max(1, Math.min(LONGEST_BAR, width - LABEL_WIDTH - COUNT_WIDTH - 2))
  const largest = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <Box flexDirection="column">
      <Text bold>{title}</Text>
      {bars.map(({ label, count, color = 'cyan' }) => (
        <Box key={label} gap={1}>
          <Box width={LABEL_WIDTH} flexShrink={0}>
            <Text wrap="truncate-end">{label}</Text>
          </Box>
          <Box flexShrink={0}>
            <Text>{String(count).padStart(COUNT_WIDTH)}</Text>
          </Box>
          <Text color={color} wrap="truncate-end">
            {'█'.repeat(Math.ceil((count * longest) / largest))}
          </Text>
        </Box>
      ))}
    </Box>
  )
}
