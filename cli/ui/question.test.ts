import { describe, expect, it } from 'vitest'
import { applyKey, type Question, questionFor } from './question.tsx'

/** What comes of keys one after the other, until one of them decides the question. */
function outcome(number: number | undefined, ...keys: string[]): boolean | Question {
  let question: boolean | Question = questionFor(number)
  for (const key of keys) {
    if (typeof question === 'boolean') return question
    question = applyKey(question, { key, text: key.length === 1 ? key : '' })
  }
  return question
}

describe('applyKey', () => {
  it.each<[boolean, string]>([
    [true, 'y'],
    [true, 'Y'],
    [false, 'n'],
    [false, 'enter'],
    [false, 'escape'],
  ])('is %s after %s where one is at stake', (expected, key) => {
    expect(outcome(undefined, key)).toBe(expected)
  })

  it.each(['a', ' ', 'ctrl+y', 'alt+y', 'up', 'q'])('stays a question after %s', (key) => {
    expect(outcome(undefined, key)).toEqual(questionFor(undefined))
  })

  it.each<[boolean, string[]]>([
    [true, ['2', '0', '2', '9', '9', 'enter']],
    [true, ['2', '0', ',', '2', '9', '9', 'enter']],
    [true, ['2', '1', 'backspace', '0', '2', '9', '9', 'enter']],
    [false, ['enter']],
    [false, ['2', '0', 'escape']],
  ])('is %s after %j where 20,299 are at stake', (expected, keys) => {
    expect(outcome(20_299, ...keys)).toBe(expected)
  })

  it.each([[['y', 'enter']], [['2', 'enter']], [['2', '0', '2', '9', '9', '9', 'enter']], [['y', 'e', 's', 'enter']]])(
    'says that %j is not that number, and begins anew',
    (keys) => {
      expect(outcome(20_299, ...keys)).toMatchObject({ wrong: true, text: '' })
    },
  )
})
