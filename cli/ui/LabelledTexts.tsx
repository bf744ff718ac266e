import { Box, renderToString, Text } from 'ink'

const LABEL_WIDTH = 17

/** Labels with their texts, one pair a line; a long text wraps beside its label. */
export function LabelledTexts({ texts }: { texts: [label: string, text: string][] }) {
  return (
    <Box flexDirection="column">
      {texts.map(([label, text]) => (
        <Box key={label}>
          <Box width={LABEL_WIDTH} flexShrink={0}>
            <Text dimColor>{label}</Text>
          </Box>
          <Text>{text}</Text>
        </Box>
      ))}
    </Box>
  )
}

/** Draws labels and texts as a string for a terminal of so many columns. */
export function renderTexts(texts: [string, string][], columns: number): string {
  return `${renderToString(<LabelledTexts texts={texts} />, { columns })}\n`
}
