import { useEffect, useRef, useState } from 'react'

type Listening = {
  /** Whether the question receives keys, as last rendered. */
  listening: boolean
  /** Whether it does at this moment, perhaps not rendered yet. */
  hears: (question: object) => boolean
  /** Reports an ignored key: the user is still typing for something else. */
  notHeard: () => void
}

/**
 * How long no key may have been pressed before keys count: longer than a fast typist pauses within a word, and longer
 * than Ink takes to draw.
 */
const QUIET_MS = 450

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

/** Calls `begin` once no key has been pressed for a while; `again` restarts the wait after a key press. */
export function onceQuiet(begin: () => void): { again: () => void; stop: () => void } {
  let timer: NodeJS.Timeout
  let turn: NodeJS.Immediate | undefined
  function again(): void {
    stop()
    // Timers run before input is read: keys pressed while the process was busy arrive before the immediate.
    timer = setTimeout(() => {
      turn = setImmediate(begin)
    }, QUIET_MS)
  }
  function stop(): void {
    clearTimeout(timer)
    clearImmediate(turn)
  }
  again()
  return { again, stop }
}
