import { Box, Text } from 'ink'

const GAP = 2

/** The keys that work now, e.g. `space select  d delete`, each whole, on as many lines as they need. */
export function KeyHints({ keys }: { keys: Record<string, string> }) {
  return (
    <Box flexWrap="wrap" columnGap={GAP}>
      {hintsOf(keys).map((hint) => (
        <Text key={hint} dimColor>
          {hint}
        </Text>
      ))}
    </Box>
  )
}

/** At most so many lines. Each but the last may end before the longest hint. */
export function hintLines(keys: Record<string, string>, columns: number): number {
  const lengths = hintsOf(keys).map((hint) => hint.length + GAP)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return total - GAP <= columns ? 1 : Math.ceil(total / Math.max(1, columns - Math.max(...lengths)))
}

function hintsOf(keys: Record<string, string>): string[] {
  return Object.entries(keys).map(([key, meaning]) => `${key} ${meaning}`)
}
