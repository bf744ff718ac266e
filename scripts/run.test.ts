import { describe, expect, it, vi } from 'vitest'
import { withProgress } from './run.mjs'

describe('withProgress', () => {
  it('says how far work is that prints nothing, also on a pipe, and is silent once it is done', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    let filled = 0
    const work = () => vi.waitFor(() => expect(said.mock.calls.length).toBeGreaterThan(1)).then(() => 'done')
    expect(await withProgress(() => `${++filled} of 4 packages`, work, 5)).toBe('done')
    const sentences = said.mock.calls.flat()
    expect(sentences[0]).toMatch(/^ {2}\d+ s: 1 of 4 packages…$/)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(said).toHaveBeenCalledTimes(sentences.length)
    said.mockRestore()
  })
})
