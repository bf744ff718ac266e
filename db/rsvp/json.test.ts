import { describe, expect, it } from 'vitest'
import { jsonArray } from './json.ts'

async function textOf(pages: number[][], gap: string): Promise<string> {
  async function* given() {
    yield* pages
  }
  const pieces: string[] = []
  for await (const piece of jsonArray(given(), (page) => page.join(`,${gap}`), gap)) pieces.push(piece)
  return pieces.join('')
}

describe('jsonArray', () => {
  it.each([
    [[], '[]', '[]\n'],
    [[[]], '[]', '[]\n'],
    [[[1, 2], [], [3]], '[1,2,3]', '[\n1,\n2,\n3\n]\n'],
    [[[], [1]], '[1]', '[\n1\n]\n'],
  ])('writes pages %j as one array, closed up or one element a line', async (pages, closed, lines) => {
    expect(await textOf(pages, '')).toBe(closed)
    expect(await textOf(pages, '\n')).toBe(lines)
  })
})
