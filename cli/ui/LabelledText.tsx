import { Box, renderToString, Text } from 'ink'

type Props = { label: string; text: string; width?: number; gap?: number; isLabelDim?: boolean }

/** A text beside its label, which has `width` cells with the gap; both wrap if they are too long. */
export function LabelledText({ label, text, width = 17, gap = 1, isLabelDim = true }: Props) {
  return (
    <Box>
      <Box width={width} paddingRight={gap} flexShrink={0}>
        <Text dimColor={isLabelDim}>{label}</Text>
      </Box>
      <Text>{text}</Text>
    </Box>
  )
}

export function LabelledTexts({ texts }: { texts: [label: string, text: string][] }) {
  return (
    <Box flexDirection="column">
      {texts.map(([label, text]) => (
        <LabelledText key={label} label={label} text={text} />
      ))}
    </Box>
  )
}

/** Draws labels and texts as a string for a terminal of so many columns. */
export function renderTexts(texts: [string, string][], columns: number): string {
  return `${renderToString(<LabelledTexts texts={texts} />, { columns })}\n`
}
