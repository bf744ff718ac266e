import { useStore } from '@nanostores/react'
import { Box, Text } from 'ink'
import { atom } from 'nanostores'
import { useEffect, useState } from 'react'
import { type Drawing, draw } from './draw.tsx'
import { edited, FieldText, fieldOf, typed } from './Field.tsx'
import { useKeys } from './keys.ts'
import { applyKey, pasted, QuestionInput, questionFor } from './question.tsx'
import { useListening } from './use-listening.ts'

/** Asks for y or n or, if `number` is given, for that number; enter alone is a no. */
export function askForYes(question: string, drawing: Drawing, number?: number): Promise<boolean | undefined> {
  return draw<boolean>((done) => <YesOrNo question={question} number={number} onSubmit={done} />, drawing)
}

/**
 * Asks for a text; enter alone takes the default, which is shown once keys count. `refusal` returns what is wrong with
 * an input, if anything.
 */
export function askForText(question: AskedText, drawing: Drawing): Promise<string | undefined> {
  return draw<string>((done) => <TextQuestion {...question} onSubmit={done} />, drawing)
}

export type AskedText = { label: string; preset: string; refusal?: (input: string) => string | undefined }

function YesOrNo(props: { question: string; number?: number | undefined; onSubmit: (yes: boolean) => void }) {
  const { question: text, number, onSubmit } = props
  const [opened] = useState({})
  // In a store: when keys arrive together, the second is handled before the first is rendered.
  const [$question] = useState(() => atom(questionFor(number)))
  const question = useStore($question)
  const { listening, hears, notHeard } = useListening(opened)

  useKeys(
    (press) => {
      if (!hears(opened) && press.key !== 'escape') return notHeard()
      const result = applyKey($question.get(), press)
      if (typeof result === 'boolean') onSubmit(result)
      else $question.set(result)
    },
    (text) => {
      if (hears(opened)) $question.set(pasted($question.get(), text))
      else notHeard()
    },
  )

  return (
    <Box columnGap={1} flexWrap="wrap">
      <Text>{text}</Text>
      <QuestionInput question={question} listening={listening} />
    </Box>
  )
}

function TextQuestion({ label, preset, refusal, onSubmit }: AskedText & { onSubmit: (input: string) => void }) {
  const [opened] = useState({})
  const [wrong, setWrong] = useState('')
  const [submitted, setSubmitted] = useState<string>()
  const [$field] = useState(() => atom(fieldOf('')))
  const field = useStore($field)
  const { listening, hears, notHeard } = useListening(opened)

  function change(next: typeof field): void {
    $field.set(next)
    setWrong('')
  }

  function submit(): void {
    const given = $field.get().text.trim() || preset
    const refused = refusal?.(given)
    // If keys arrive together, those after the first enter are not for this question.
    if (refused === undefined) setSubmitted((before) => before ?? given)
    else setWrong(refused)
  }

  // After rendering the final text, which stays on the terminal.
  useEffect(() => {
    if (submitted !== undefined) onSubmit(submitted)
  }, [submitted, onSubmit])

  useKeys(
    (press) => {
      if (!hears(opened)) return notHeard()
      if (press.key === 'enter') return submit()
      const next = edited($field.get(), press)
      if (next !== undefined) change(next)
    },
    (text) => {
      if (hears(opened)) change(typed($field.get(), text.trim()))
      else notHeard()
    },
  )

  return (
    <Box flexDirection="column">
      <Box gap={1}>
        <Box flexShrink={0}>
          <Text bold>{label}</Text>
        </Box>
        {submitted !== undefined ? (
          <Text wrap="truncate-end">{submitted}</Text>
        ) : (
          listening && <FieldText field={field} placeholder={preset} />
        )}
      </Box>
      {wrong !== '' && <Text color="red">{wrong}</Text>}
    </Box>
  )
}
