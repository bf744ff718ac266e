import { useEffect, useRef, useState } from 'react'

/** So long nothing may be pressed before a question hears keys, in ms: longer than who types fast pauses in a word. */
const QUIET = 400
/** Ink draws 30 times a second: after so long what was to be drawn is on the terminal, in ms. */
const DRAWING = 50

type Listening = {
  /** Whether the question that is drawn hears keys. */
  listening: boolean
  /** The same of this question at this very moment, also if it is not drawn yet. */
  hears: (question: object) => boolean
  /** A key was not heard: who typed it is still typing something else. */
  notHeard: () => void
}

/**
 * Lets a question hear keys only once it is drawn and nobody is typing: whatever was pressed before then was not meant
 * as its answer.
 */
export function useListening(question: object | undefined): Listening {
  const heard = useRef<object>(undefined)
  const wait = useRef(() => {})
  const [listeningTo, setListeningTo] = useState<object>()

  useEffect(() => {
    if (question === undefined) return
    let timer: NodeJS.Timeout
    let turn: NodeJS.Immediate | undefined
    function begin(): void {
      stop()
      timer = setTimeout(readWaiting, DRAWING + QUIET)
    }
    // Timers come before input: what was pressed while this process was busy is read in the turn between.
    function readWaiting(): void {
      turn = setImmediate(() => {
        heard.current = question
        setListeningTo(question)
      })
    }
    function stop(): void {
      clearTimeout(timer)
      clearImmediate(turn)
    }
    begin()
    wait.current = begin
    return () => {
      stop()
      wait.current = () => {}
    }
  }, [question])

  return {
    listening: question !== undefined && listeningTo === question,
    hears: (asked) => heard.current === asked,
    notHeard: () => wait.current(),
  }
}
