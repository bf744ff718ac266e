import { Box, Text } from 'ink'

/** The five rows of each digit, three points each, as octal digits. */
const digits = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717']
const ROWS = [0, 1, 2, 3, 4]

/** A whole number that can be read from across the room. */
export function LargeNumber({ number }: { number: number }) {
  const shapes = Array.from(String(number), (digit) => digits[Number(digit)] ?? '')
  return (
    <Box flexDirection="column">
      {ROWS.map((row) => (
        <Text key={row} wrap="truncate-end">
          {shapes.map((shape) => pointsOf(Number(shape[row]))).join('  ')}
        </Text>
      ))}
    </Box>
  )
}

/** A point is as wide as two characters, because those are about twice as high as wide. */
function pointsOf(row: number): string {
  return [4, 2, 1].map((bit) => ((row & bit) === 0 ? '  ' : '██')).join('')
}
