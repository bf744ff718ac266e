import { describe, expect, it } from 'vitest'
import { buildingWith, freeMemory, installingWith } from './memory.mjs'

describe('a build', () => {
  it('has no limits where there is enough memory', () => {
    expect(buildingWith(freeMemory() + 10_000)).toEqual({ words: [], variables: {}, warning: undefined })
  })

  it('is limited where there is little memory, without a warning while that is enough', () => {
    const { words, warning } = buildingWith(600)
    expect({ heap: words[0], warning }).toEqual({ heap: '--max-old-space-size=192', warning: undefined })
  })

  it('warns where that may not be enough either, and says what to do', () => {
    expect(buildingWith(300).warning).toMatch(
      /^Only 300 MB .+ needs 550: .+ Add swap, or do it on another machine .+\.$/,
    )
  })

  it('comes after an installation, which warns in the same way', () => {
    expect(installingWith(900)).toBeUndefined()
    expect(installingWith(400)).toMatch(/^Only 400 MB .+ installing needs 900: .+ Add swap, or .+\.$/)
  })
})
