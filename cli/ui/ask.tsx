import { useStore } from '@nanostores/react'
import { Box, Text } from 'ink'
import { atom } from 'nanostores'
import { useState } from 'react'
import { type Drawing, draw } from './draw.tsx'
import { useKeys } from './keys.ts'
import { applyKey, pasted, QuestionInput, questionFor } from './question.tsx'
import { useListening } from './use-listening.ts'

/** Asks for y or n or, if `number` is given, for that number; enter alone is a no. */
export function askForYes(question: string, drawing: Drawing, number?: number): Promise<boolean | undefined> {
  return draw<boolean>((done) => <YesOrNo question={question} number={number} onSubmit={done} />, drawing)
}

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
