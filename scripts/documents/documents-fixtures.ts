import { globSync } from 'node:fs'

/** With fewer letters, a text is mostly placeholders and anything would be an example of it. */
const LETTERS_MINIMUM = 6

/** Every document of the project, without packages and builds. */
export function findDocuments(root: string): string[] {
  return globSync('{*.md,docs/**/*.md,{db,site,cli,lab,scripts}/**/*.md}', { cwd: root }).sort()
}

/** The code in a document: within sentences, and the lines of its blocks. */
export function codeOf(markdown: string): { inline: string[]; lines: string[] } {
  const blocks = Array.from(markdown.matchAll(/^```\w*\n(.*?)^```$/gms), ([, block = '']) => block)
  const sentences = markdown.replace(/^```\w*\n.*?^```$/gms, '')
  return {
    inline: Array.from(sentences.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code),
    lines: blocks.flatMap((block) => block.split('\n')),
  }
}

/** The targets of its links and pictures within the project. */
export function linksOf(markdown: string): string[] {
  const links = markdown.replace(/^```\w*\n.*?^```$/gms, '').matchAll(/(?:\]\(|src=")(?!\w+:)([^)"\s]+)[)"]/g)
  return Array.from(links, ([, link = '']) => link)
}

export function anchorsOf(markdown: string): string[] {
  const headings = markdown.replace(/^```\w*\n.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** What a document prints in bold, outside of its headings. */
export function labelsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/\*\*([^*\n]+)\*\*/g), ([, label = '']) => label)
}

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
