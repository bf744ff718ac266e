import { Box, Text } from 'ink'

const LABEL_WIDTH = 24
const LONGEST_BAR = 30

export type Bar = { label: string; count: number; color?: string }

/** Counts below a title, each with a bar in proportion to the largest. */
export function Bars({ title, bars }: { title: string; bars: Bar[] }) {
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
            <Text>{String(count).padStart(5)}</Text>
          </Box>
          <Text color={color} wrap="truncate-end">
            {'█'.repeat(Math.ceil((count * LONGEST_BAR) / largest))}
          </Text>
        </Box>
      ))}
    </Box>
  )
}
