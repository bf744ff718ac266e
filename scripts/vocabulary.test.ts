import { describe, expect, it } from 'vitest'
import { findWords, readGlossary } from './vocabulary.mjs'

const glossary = readGlossary(`
| Word | Means | Not |
|---|---|---|
| pigeon | a bird | \`dove\`, \`bird of peace\` |
| nest | where it lives; not a \`hut\` | \`house\` |
| fly | what it does | \`dove\`|

## Texts that stay

- \`the House of Commons\` is a name.
`)

const wordsOf = (text: string) => findWords(text, glossary).map(({ word }) => word)

describe('findWords', () => {
  it('names the line, the word and every word to use instead', () => {
    expect(findWords('A hut\nfor a Dove', glossary)).toEqual([{ line: 2, word: 'Dove', instead: 'pigeon / fly' }])
  })

  it('finds each form of a word, also inside names', () => {
    expect(wordsOf('unhoused housing houses')).toEqual(['unhoused', 'housing', 'houses'])
    expect(wordsOf('newHouse DOVES_MAXIMUM aHTTPHouse')).toEqual(['DOVES', 'House', 'House'])
  })

  it('finds a phrase that continues in the next line of a comment', () => {
    expect(findWords('/**\n * A bird of\n * peace.\n */', glossary)).toEqual([
      { line: 2, word: 'bird of * peace', instead: 'pigeon' },
    ])
  })

  it('leaves longer words and texts that stay alone', () => {
    expect(wordsOf('household of the House of Commons, doveish')).toEqual([])
    expect(wordsOf('The house')).toEqual(['house'])
  })
})
