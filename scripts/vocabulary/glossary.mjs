// Reads docs/glossary.md and finds the words in a text that its last column replaces.

const backticks = /`([^`]+)`/g
/** A word of the last column stands for its plural, its past tense and so on. */
const prefixes = '(?:un|dis|im|re)?'
const endings = '(?:e|es|ed|ing|er|ers|s|ly|able|d|ation)?'

/** @returns {{ rules: { pattern: RegExp, instead: string }[], kept: string[] }} */
export function readGlossary(markdown) {
  const [table, list = ''] = markdown.split('## Texts that stay')
  const rows = table.split('\n').flatMap((line) => (/^\|(?!-)/.test(line) ? [line.split('|').slice(1, -1)] : []))
  const rules = rows
    .slice(1)
    .flatMap(([word, , not]) =>
      Array.from(not.matchAll(backticks), ([, banned]) => ({ pattern: formsOf(banned), instead: word.trim() })),
    )
  const kept = Array.from(list.matchAll(/^- `([^`]+)`/gm), ([, text]) => text)
  return { rules, kept }
}

/**
 * @param {string} text
 * @param {ReturnType<typeof readGlossary>} glossary
 */
export function findWords(text, { rules, kept }) {
  const rest = kept.reduce((before, quoted) => before.replaceAll(quoted, ''), text)
  const lines = splitNames(rest)
  const found = new Map()
  for (const { pattern, instead } of rules) {
    for (const { index, 0: word } of lines.matchAll(pattern)) {
      const line = lines.slice(0, index).split('\n').length
      const others = found.get(index)?.instead ?? []
      found.set(index, { line, word: word.replace(/\s+/g, ' '), instead: [...others, instead] })
    }
  }
  return Array.from(found.values())
    .sort((a, b) => a.line - b.line)
    .map((finding) => ({ ...finding, instead: finding.instead.join(' / ') }))
}

/** `REQUEST_DEADLINE` and `withDeadline` in words; no line is added or lost. */
function splitNames(text) {
  return text.replaceAll('_', ' ').replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
}

/** A phrase may go on in the next line of a comment. */
function formsOf(banned) {
  const stem = banned.replace(/e$/, '')
  const words = stem.split(' ').map((word) => word.replace(/\W/g, '\\$&'))
  const start = /^\w/.test(banned) ? `\\b${prefixes}` : ''
  return new RegExp(`${start}${words.join('\\s+(?:(?://|\\*|#)\\s+)?')}${endings}\\b`, 'gi')
}
