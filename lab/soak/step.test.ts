import { describe, expect, it } from 'vitest'
import { judgeSteps, type Step } from './step.ts'

function testStep(changes: Partial<Step> = {}): Step {
  return {
    requests: 1000,
    busy: 0,
    errors: [],
    p50: 5,
    p99: 50,
    memory: 200,
    resting: 150,
    heap: 20,
    files: 30,
    ...changes,
  }
}

const warmUp = testStep({ memory: 100, heap: 10, files: 20 })

describe('the verdict on a long run', () => {
  it('is that nothing grew, whatever the first step and those in between were', () => {
    const high = testStep({ memory: 500, heap: 50, files: 90 })
    expect(judgeSteps([warmUp, testStep(), high, testStep({ memory: 219, heap: 21.9 })])).toEqual([])
  })

  it.each([
    [{ memory: 220 }, 'Memory grew from 200 to 220 MiB.'],
    [{ heap: 22 }, 'The JavaScript heap grew from 20 to 22 MiB.'],
    [{ files: 31 }, 'Open files grew from 30 to 31.'],
  ])('names what grew by a tenth, or files by one: %j', (changes, finding) => {
    expect(judgeSteps([warmUp, testStep(), testStep(changes)])).toEqual([finding])
  })

  it('is none where there is nothing to compare', () => {
    for (const steps of [[], [warmUp], [warmUp, testStep()]]) expect(judgeSteps(steps)).toHaveLength(1)
  })
})
