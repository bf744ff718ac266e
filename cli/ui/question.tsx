import { Box, Text } from 'ink'
import { edited, FieldText, fieldOf, type TextField, typed } from './Field.tsx'
import type { Press } from './keys.ts'

/**
 * A question before something is done. With `number` the user has to type that number and press enter, so that a
 * key meant for something else does not confirm.
 */
export type Question = { number: number | undefined; field: TextField; wrong: boolean }

export function questionFor(number: number | undefined): Question {
  return { number, field: fieldOf(''), wrong: false }
}

/** @returns the decision after a key, or the question with what has been typed so far. Enter alone is a no. */
export function applyKey(question: Question, press: Press): boolean | Question {
  if (press.key === 'escape') return false
  if (question.number === undefined) {
    if (press.key === 'y' || press.key === 'Y') return true
    return press.key === 'n' || press.key === 'N' || press.key === 'enter' ? false : question
  }
  const { text } = question.field
  if (press.key !== 'enter')
    return { ...question, field: edited(question.field, press) ?? question.field, wrong: false }
  if (text === '') return false
  // People read 20,299 and type what they read.
  return text.replace(/[\s,.]/g, '') === String(question.number)
    ? true
    : { ...question, field: fieldOf(''), wrong: true }
}

/** Adds a pasted text, which never decides the question by itself, even with a line break in it. */
export function pasted(question: Question, text: string): Question {
  if (question.number === undefined) return question
  return { ...question, field: typed(question.field, text.trim()), wrong: false }
}

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
