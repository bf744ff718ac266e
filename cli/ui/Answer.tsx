import { Box, Text } from 'ink'
import { FieldText } from './FieldText.tsx'
import type { Question } from './question.ts'

/** Where a question is answered. Nothing stands there until it hears keys. */
export function Answer({ question, listening }: { question: Question; listening: boolean }) {
  const { number, field, wrong } = question
  if (!listening) return <Text> </Text>
  if (number === undefined) return <Text dimColor>y/N</Text>
  return (
    <Box gap={1}>
      <Box flexShrink={0}>
        <Text color={wrong ? 'red' : undefined}>
          {wrong ? `Not that. Type ${number}:` : `Type ${number}, then enter:`}
        </Text>
      </Box>
      <FieldText field={field} />
    </Box>
  )
}
