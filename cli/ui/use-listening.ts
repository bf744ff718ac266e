import { useEffect, useRef, useState } from 'react'
import { onceQuiet } from './quiet.ts'

type Listening = {
  /** Whether the question receives keys, as last rendered. */
  listening: boolean
  /** Whether it does at this moment, perhaps not rendered yet. */
  hears: (question: object) => boolean
  /** Reports an ignored key: the user is still typing for something else. */
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
