import { Box, Text } from 'ink'
import { FieldText } from './FieldText.tsx'
import type { Question } from './question.ts'

/** Where the input to a question is typed. It stays empty until the question listens to keys. */
export function QuestionInput({ question, listening }: { question: Question; listening: boolean }) {
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
