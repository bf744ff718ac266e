import { render } from 'ink-testing-library'
import { expect, it } from 'vitest'
import { applyKey, newQuestion, QuestionInput } from './Question.tsx'

const reply = (keys: string[], number?: number) =>
  keys.reduce<ReturnType<typeof applyKey>>(
    (question, key) => (typeof question === 'boolean' ? question : applyKey(question, key)),
    newQuestion(number),
  )

it.each([
  [['y'], undefined, true],
  [['x', 'Y'], undefined, true],
  [['n'], undefined, false],
  [['enter'], undefined, false],
  [['1', '2', 'enter'], 12, true],
  [['1', ',', '2', '0', '0', 'enter'], 1200, true],
  [['enter'], 12, false],
  [['1', 'escape'], 12, false],
])('applyKey takes %j, where %j is to be typed, as %j', (keys, number, expected) => {
  expect(reply(keys, number)).toBe(expected)
})

it('applyKey accepts neither y nor another number instead of the number', () => {
  const asked = reply(['y', 'enter'], 12)
  if (typeof asked === 'boolean') throw new Error(`It was taken for ${asked}.`)
  expect(render(<QuestionInput question={asked} />).lastFrame()).toContain('Not that. Type 12:')
})
