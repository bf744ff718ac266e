import { Box, Text, useWindowSize } from 'ink'

const GAP = '  '

/** The keys that work now, e.g. `space select  d delete`: each whole, on two lines at most, the most important first. */
export function KeyHints({ keys }: { keys: Record<string, string> }) {
  const { columns } = useWindowSize()
  return (
    <Box flexWrap="wrap" columnGap={GAP.length} height={hintLines(keys, columns)} overflow="hidden">
      {hintsOf(keys).map((hint) => (
        <Text key={hint} dimColor>
          {hint}
        </Text>
      ))}
    </Box>
  )
}

export function hintLines(keys: Record<string, string>, columns: number): number {
  return hintsOf(keys).join(GAP).length > columns ? 2 : 1
}

function hintsOf(keys: Record<string, string>): string[] {
  return Object.entries(keys).map(([key, meaning]) => `${key} ${meaning}`)
}
