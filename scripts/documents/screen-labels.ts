/** Of a text that is mostly placeholders anything would be an example. */
const LETTERS_MINIMUM = 6

/** What a document prints in bold, outside of its headings. */
export function labelsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/\*\*([^*\n]+)\*\*/g), ([, label = '']) => label)
}

/** The pictures of a document, and what they say to those who do not see them. */
export function picturesOf(markdown: string): { alt: string; src: string }[] {
  return Array.from(markdown.matchAll(/<img alt="([^"]*)" src="([^"]+)"/g), ([, alt = '', src = '']) => ({ alt, src }))
}

/** Whether it is one of the texts of the screens, an example of one with placeholders, or the first sentence of one. */
export function stands(label: string, texts: string[]): boolean {
  return texts.some((text) => text === label || isExampleOf(label, text) || isFirstSentence(label, text))
}

function isExampleOf(label: string, text: string): boolean {
  const fixed = text.split(/\{\w+\}/)
  if (fixed.length === 1 || fixed.join('').length < LETTERS_MINIMUM) return false
  return new RegExp(`^${fixed.map(escaped).join('.+')}$`).test(label)
}

function isFirstSentence(label: string, text: string): boolean {
  return /[.:]$/.test(label) && text.startsWith(`${label} `)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
