// Finds words that docs/glossary.md replaces. Usage: node scripts/vocabulary/vocabulary.mjs [FILE OR FOLDER…]
//
// Without arguments it reads the whole tree. Prints a line for each finding, and ends with exit code 1 if there is any.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'
import { Failure, finish } from '../run.mjs'
import { findWords, readGlossary } from './glossary.mjs'

const glossary = 'docs/glossary.md'
/** The glossary itself, names and licenses of other people's packages, migrations, which are never edited, and settings. */
const unread = [glossary, 'package-lock.json', 'release', 'THIRD-PARTY-LICENSES.txt', 'db/migrations', '.env']
/** What installing, building and running leave. */
const made = ['.git', 'node_modules', 'dist', 'builds', 'data', '.astro', 'test-results', 'playwright-report']
const text = /\.(astro|cjs|css|example|grit|json|md|mjs|sql|svg|ts|tsx|txt)$|(^|\/)[^.]+$/

finish(() => {
  const rules = readGlossary(readFileSync(join(root, glossary), 'utf8'))
  const paths = process.argv.slice(2)
  const findings = (paths.length > 0 ? paths : ['.']).flatMap(listFiles).flatMap((file) => {
    const name = findWords(file, rules).map(({ word, instead }) => `${file}: "${word}" in its name; say ${instead}`)
    const inside = findWords(readFileSync(join(root, file), 'utf8'), rules)
    return [...name, ...inside.map(({ line, word, instead }) => `${file}:${line}: "${word}"; say ${instead}`)]
  })
  if (findings.length > 0) throw new Failure(`${findings.join('\n')}\n${findings.length} findings; see ${glossary}.`)
})

/** Every text file of the project. Not by git: a copy of the project may come without it. */
function listFiles(path) {
  if (unread.includes(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return text.test(path) ? [path] : []
  return readdirSync(join(root, path))
    .filter((name) => !made.includes(name))
    .flatMap((name) => listFiles(join(path, name)))
}
