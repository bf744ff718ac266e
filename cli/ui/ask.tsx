import { ConfirmInput, TextInput } from '@inkjs/ui'
import { Box, Text, useInput } from 'ink'
import { useCallback, useRef, useState } from 'react'
import { draw } from './draw.tsx'

/** Asks a question that is answered with y or n; enter alone is a no. */
export function askForYes(question: string, signal: AbortSignal): Promise<boolean | undefined> {
  return draw<boolean>((done) => <YesOrNo question={question} onAnswer={done} />, { signal })
}

/** Asks for a text; enter alone takes the default. `refusal` says what is wrong with an answer, or nothing. */
export function askForText(
  question: { label: string; preset: string; refusal?: (answer: string) => string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  return draw<string>((done) => <Question {...question} onAnswer={done} />, { signal })
}

function YesOrNo({ question, onAnswer }: { question: string; onAnswer: (yes: boolean) => void }) {
  return (
    <Box gap={1}>
      <Text>{question}</Text>
      <ConfirmInput defaultChoice="cancel" onConfirm={() => onAnswer(true)} onCancel={() => onAnswer(false)} />
    </Box>
  )
}

function Question(props: {
  label: string
  preset: string
  refusal?: (answer: string) => string | undefined
  onAnswer: (answer: string) => void
}) {
  const { label, preset, refusal, onAnswer } = props
  const [wrong, setWrong] = useState('')

  const typed = useRef('')
  const [field, setField] = useState({ round: 0, text: '' })

  // The same function each time: the field calls a new one at once, as if something had been typed.
  const change = useCallback((text: string) => {
    typed.current = text
    setWrong('')
  }, [])

  // The field takes the letter of a control key for text. A new one has what was there before; after Ctrl+U nothing.
  useInput((input, { ctrl }) => {
    if (!ctrl) return
    if (input === 'u') change('')
    setField(({ round }) => ({ round: round + 1, text: typed.current }))
  })

  function submit(typed: string) {
    const answer = typed.trim() || preset
    const refused = refusal?.(answer)
    if (refused === undefined) onAnswer(answer)
    else setWrong(refused)
  }

  return (
    <Box flexDirection="column">
      <Box gap={1}>
        <Text bold>{label}</Text>
        <TextInput
          key={field.round}
          defaultValue={field.text}
          placeholder={preset}
          onChange={change}
          onSubmit={submit}
        />
      </Box>
      {wrong !== '' && <Text color="red">{wrong}</Text>}
    </Box>
  )
}
