import { describe, expect, it } from 'vitest'
import { buildingWith, freeMemory, installingWith } from './memory.mjs'

describe('a build', () => {
  it('goes on as it likes where there is memory', () => {
    expect(buildingWith(freeMemory() + 10_000)).toEqual({ words: [], variables: {}, warning: undefined })
  })

  it('takes less where there is little, without a word while that is enough', () => {
    const { words, warning } = buildingWith(600)
    expect({ heap: words[0], warning }).toEqual({ heap: '--max-old-space-size=192', warning: undefined })
  })

  it('says what to do where that may not be enough either', () => {
    expect(buildingWith(300).warning).toMatch(
      /^Only 300 MB .+ needs 550: .+ Add swap, or do it on another machine .+\.$/,
    )
  })

  it('is preceded by an installation, which says the same', () => {
    expect(installingWith(900)).toBeUndefined()
    expect(installingWith(400)).toMatch(/^Only 400 MB .+ installing needs 900: .+ Add swap, or .+\.$/)
  })
})
