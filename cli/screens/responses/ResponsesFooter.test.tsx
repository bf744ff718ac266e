import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { testStoredRsvp } from '#db/fixtures.ts'
import { ResponsesFooter } from './ResponsesFooter.tsx'
import { nothingRead, type ResponsesState } from './responses-state.ts'

// The terminal the test itself runs in must not matter: neither its size nor its colors.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))
afterEach(cleanup)

function linesOf(state: Partial<ResponsesState>): string[] {
  const { lastFrame } = render(
    <ResponsesFooter state={{ ...nothingRead, shown: [testStoredRsvp(1)], ...state }} listening />,
  )
  return lastFrame()?.trim().split('\n') ?? []
}

describe('ResponsesFooter', () => {
  it('says beside what has happened that a search goes on', () => {
    const notice = 'Deleted 1 response. Press u to restore it.'
    expect(linesOf({ notice, search: 'kim' }).slice(0, 2)).toEqual([notice, '1 of 1, searching for: kim'])
    expect(linesOf({ notice })[0]).toBe(notice)
  })

  it('names every key in 100 columns', () => {
    expect(linesOf({}).at(-1)).toMatch(/^enter read {2}\? keys {2}q quit .+ u undo {2}r reload$/)
  })
})
