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

/** The same as text, as wide as the terminal. */
export function renderTexts(texts: [string, string][], columns: number): string {
  return `${renderToString(<LabelledTexts texts={texts} />, { columns })}\n`
}
