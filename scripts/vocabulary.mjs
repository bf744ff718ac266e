// Finds words that docs/glossary.md replaces. Usage: node scripts/vocabulary.mjs [FILE OR FOLDER…]
//
// Without arguments it reads the whole tree. Prints a line for each finding, and ends with exit code 1 if there is any.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findWords, readGlossary } from './glossary.mjs'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

const glossary = 'docs/glossary.md'
/** The glossary itself, names of other people's packages, migrations, which are never edited, and images. */
const unread = [glossary, 'package-lock.json', 'db/migrations', '**/*.png', '**/*.woff2'].map(
  // Without `glob`, git 2.39 leaves out every file of a folder that is given with a pattern such as *.png.
  (path) => `:(exclude,glob)${path}`,
)

finish(() => {
  const rules = readGlossary(readFileSync(join(root, glossary), 'utf8'))
  const paths = process.argv.slice(2)
  const findings = listFiles(paths.length > 0 ? paths : ['.']).flatMap((file) => {
    const name = findWords(file, rules).map(({ word, instead }) => `${file}: "${word}" in its name; say ${instead}`)
    const text = findWords(readFileSync(join(root, file), 'utf8'), rules)
    return [...name, ...text.map(({ line, word, instead }) => `${file}:${line}: "${word}"; say ${instead}`)]
  })
  if (findings.length > 0) throw new Failure(`${findings.join('\n')}\n${findings.length} findings; see ${glossary}.`)
})

/** What git knows or would add. */
function listFiles(paths) {
  const options = ['-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { status, stdout, stderr, error } = spawnSync('git', ['ls-files', ...options, '--', ...paths, ...unread], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Failure(`git did not list the files: ${error?.message ?? stderr}`)
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}
