import { useEffect, useRef, useState } from 'react'
import { onceQuiet } from './quiet.ts'

type Listening = {
  /** Whether the question that is drawn hears keys. */
  listening: boolean
  /** The same of this question at this very moment, also if it is not drawn yet. */
  hears: (question: object) => boolean
  /** A key was not heard: who typed it is still typing something else. */
  notHeard: () => void
}

/**
 * Lets a question receive keys only once it is drawn and typing has stopped: keys from before then were not meant for
 * this question.
 */
export function useListening(question: object | undefined): Listening {
  const heard = useRef<object>(undefined)
  const wait = useRef(() => {})
  const [listeningTo, setListeningTo] = useState<object>()

  useEffect(() => {
    if (question === undefined) return
    const quiet = onceQuiet(() => {
      heard.current = question
      setListeningTo(question)
    })
    wait.current = quiet.again
    return () => {
      quiet.stop()
      wait.current = () => {}
    }
  }, [question])

  return {
    listening: question !== undefined && listeningTo === question,
    hears: (asked) => heard.current === asked,
    notHeard: () => wait.current(),
  }
}
