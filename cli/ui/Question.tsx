import { Box, Text } from 'ink'
import { edited, useKeyState, useKeys } from './keys.tsx'

/**
 * A question before something is done. With `number` the user has to type that number and press enter, so that a
 * key meant for something else does not confirm.
 */
export type Question = { number: number | undefined; text: string; wrong: boolean }

export function newQuestion(number: number | undefined): Question {
  return { number, text: '', wrong: false }
}

/** @returns the decision after a key, or the question with what has been typed so far. Enter alone is a no. */
export function applyKey(question: Question, key: string): boolean | Question {
  if (key === 'escape') return false
  if (question.number === undefined) {
    if (key === 'y' || key === 'Y') return true
    return key === 'n' || key === 'N' || key === 'enter' ? false : question
  }
  const { text } = question
  if (key !== 'enter') return { ...question, text: edited(text, key) ?? text, wrong: false }
  if (text === '') return false
  // People read 20,299 and type what they read.
  return text.replace(/[\s,.]/g, '') === String(question.number) ? true : { ...question, text: '', wrong: true }
}

/** Where the reply to a question is typed. */
export function QuestionInput({ question: { number, text, wrong } }: { question: Question }) {
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

/** The text being typed, on one line: if it is too long, its end. */
export function FieldText({ text }: { text: string }) {
  return (
    <Box>
      <Text wrap="truncate-start">{text}</Text>
      <Box flexShrink={0}>
        <Text>█</Text>
      </Box>
    </Box>
  )
}

type Props = { text: string; number: number | undefined; onEnd: (isYes: boolean) => void }

/** A question with its reply; ends with the decision. */
export function YesOrNo({ text, number, onEnd }: Props) {
  const { state: question, get, change } = useKeyState(() => newQuestion(number))

  useKeys((key) => {
    const result = applyKey(get(), key)
    if (typeof result === 'boolean') onEnd(result)
    else change(result)
  })

  return (
    <Box columnGap={1} flexWrap="wrap">
      <Text>{text}</Text>
      <QuestionInput question={question} />
    </Box>
  )
}
