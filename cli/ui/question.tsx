import { Box, Text } from 'ink'
import { edited, FieldText, typed } from './Field.tsx'
import type { Press } from './keys.ts'

/**
 * A question before something is done. With `number` the user has to type that number and press enter, so that a
 * key meant for something else does not confirm.
 */
export type Question = { number: number | undefined; text: string; wrong: boolean }

export function questionFor(number: number | undefined): Question {
  return { number, text: '', wrong: false }
}

/** @returns the decision after a key, or the question with what has been typed so far. Enter alone is a no. */
export function applyKey(question: Question, press: Press): boolean | Question {
  if (press.key === 'escape') return false
  if (question.number === undefined) {
    if (press.key === 'y' || press.key === 'Y') return true
    return press.key === 'n' || press.key === 'N' || press.key === 'enter' ? false : question
  }
  const { text } = question
  if (press.key !== 'enter') return { ...question, text: edited(text, press) ?? text, wrong: false }
  if (text === '') return false
  // People read 20,299 and type what they read.
  return text.replace(/[\s,.]/g, '') === String(question.number) ? true : { ...question, text: '', wrong: true }
}

/** Adds a pasted text, which never decides the question by itself, even with a line break in it. */
export function pasted(question: Question, text: string): Question {
  if (question.number === undefined) return question
  return { ...question, text: typed(question.text, text.trim()), wrong: false }
}

/** Where the input to a question is typed. It stays empty until the question listens to keys. */
export function QuestionInput({ question, listening }: { question: Question; listening: boolean }) {
  const { number, text, wrong } = question
  if (!listening) return <Text> </Text>
  if (number === undefined) return <Text dimColor>y/N</Text>
  return (
    <Box gap={1}>
      <Box flexShrink={0}>
        <Text color={wrong ? 'red' : undefined}>
          {wrong ? `Not that. Type ${number}:` : `Type ${number}, then enter:`}
        </Text>
      </Box>
      <FieldText text={text} />
    </Box>
  )
}
