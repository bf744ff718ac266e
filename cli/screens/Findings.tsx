import { Box, renderToString, Text } from 'ink'
import type { Finding } from '../doctor/finding.ts'

const NAME_WIDTH = 14

export function renderFindings(findings: Finding[], columns: number): string {
  const lines = findings.map(({ ok, warning, name, text }) => (
    <Box key={name} gap={1}>
      <Box flexShrink={0}>
        <Text color={warning ? 'yellow' : ok ? 'green' : 'red'}>{warning ? '!' : ok ? '✓' : '✗'}</Text>
      </Box>
      <Box width={NAME_WIDTH} flexShrink={0}>
        <Text bold={!ok || warning === true}>{name}</Text>
      </Box>
      <Text>{text}</Text>
    </Box>
  ))
  return `${renderToString(<Box flexDirection="column">{lines}</Box>, { columns })}\n`
}
