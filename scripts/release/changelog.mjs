// Reads CHANGELOG.md, and gives what is unreleased in it the name of a version. `npm version` calls it.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from '../run.mjs'

/** What has changed in a version, as it stands below its heading. @param {string} version or `Unreleased` */
export function changesOf(file, version) {
  const sections = readFileSync(file, 'utf8').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version}\n`) || text.startsWith(`${version}, `))
  if (section === undefined)
    throw new Failure(`CHANGELOG.md has nothing on ${version}: make versions with \`npm version\`.`)
  return `# rsvp ${section.trim()}\n`
}

/** @param {string} day e.g. `2026-11-24` */
export function nameUnreleased(file, version, day) {
  const text = readFileSync(file, 'utf8')
  if (!/^## Unreleased\n+- /m.test(text)) {
    throw new Failure('CHANGELOG.md has nothing that is unreleased: write down what has changed first.')
  }
  writeFileSync(file, text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${day}\n`))
}
