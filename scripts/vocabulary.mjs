// Finds words that docs/glossary.md replaces. Usage: node scripts/vocabulary.mjs [FILE OR FOLDER…]
//
// Without arguments it reads the whole tree. Prints a line for each finding, and ends with exit code 1 if there is any.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

const glossary = 'docs/glossary.md'
/** The glossary itself, names and licenses of other people's packages, migrations, which are never edited, and settings. */
const unread = [glossary, 'package-lock.json', 'db/migrations', '.env']
/** Created by installing, building and running. */
const made = ['.git', 'node_modules', 'dist', 'builds', 'data', '.astro', 'test-results', 'playwright-report']
const text = /\.(astro|cjs|css|example|grit|json|md|mjs|sql|svg|ts|tsx|txt)$|(^|\/)[^.]+$/

const backticks = /`([^`]+)`/g
/** A word of the last column stands for its plural, its past tense and so on. */
const prefixes = '(?:un|dis|im|re)?'
const endings = '(?:e|es|ed|ing|er|ers|s|ly|able|d|ation)?'

if (process.argv[1] === import.meta.filename) finish(main)

function main() {
  const rules = readGlossary(readFileSync(join(root, glossary), 'utf8'))
  const paths = process.argv.slice(2)
  const findings = (paths.length > 0 ? paths : ['.']).flatMap(listFiles).flatMap((file) => {
    const name = findWords(file, rules).map(({ word, instead }) => `${file}: "${word}" in its name; say ${instead}`)
    const inside = findWords(readFileSync(join(root, file), 'utf8'), rules)
    return [...name, ...inside.map(({ line, word, instead }) => `${file}:${line}: "${word}"; say ${instead}`)]
  })
  if (findings.length > 0) throw new Failure(`${findings.join('\n')}\n${findings.length} findings; see ${glossary}.`)
}

/** Every text file of the project. Not by git: a copy of the project may come without it. */
function listFiles(path) {
  if (unread.includes(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return text.test(path) ? [path] : []
  return readdirSync(join(root, path))
    .filter((name) => !made.includes(name))
    .flatMap((name) => listFiles(join(path, name)))
}

/** @internal @returns {{ rules: { pattern: RegExp, instead: string }[], kept: string[] }} */
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
 * @internal
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

/** A phrase may continue in the next line of a comment. */
function formsOf(banned) {
  const stem = banned.replace(/e$/, '')
  const words = stem.split(' ').map((word) => word.replace(/\W/g, '\\$&'))
  const start = /^\w/.test(banned) ? `\\b${prefixes}` : ''
  return new RegExp(`${start}${words.join('\\s+(?:(?://|\\*|#)\\s+)?')}${endings}\\b`, 'gi')
}
