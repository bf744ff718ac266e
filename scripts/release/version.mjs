// Finds the version to release, from the tag on this commit or else after the last version, and its changes in
// CHANGELOG.md. `npm version minor` calls it between writing the version into package.json and committing, to write it
// into the changelog too.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, systemEnvironment } from '../local-node.mjs'
import { Failure, finish, run } from '../run.mjs'

if (process.argv[1] === import.meta.filename) {
  finish(async () => {
    nameUnreleased(join(root, 'CHANGELOG.md'), process.env.npm_package_version, new Date().toISOString().slice(0, 10))
    await runGit(['add', 'CHANGELOG.md'], root)
  })
}

/** Of this commit. Without a tag e.g. `0.1.1-dev.12.gabc1234`: newer than the last version, older than the next. */
export async function versionToRelease(project = root) {
  const git = (...words) => runGit(words, project)
  const { version: last } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const time = new Date(Number(await git('log', '-1', '--format=%ct')) * 1000)
  const changed = (await git('status', '--porcelain')) !== ''
  const [tag] = (await git('tag', '--points-at', 'HEAD', '--list', 'v*')).split('\n')
  if (!tag || changed) {
    const number = await git('rev-list', '--count', 'HEAD')
    const commit = await git('rev-parse', '--short=7', 'HEAD')
    return { version: `${following(last)}-dev.${number}.g${commit}${changed ? '.changed' : ''}`, time, tag: undefined }
  }
  if (tag !== `v${last}`) {
    throw new Failure(
      `The tag ${tag} is on this commit, but package.json says ${last}: create versions with \`npm version\`.`,
    )
  }
  return { version: last, time, tag }
}

function following(version) {
  const [major, minor, patch] = version.split('.').map(Number)
  return `${major}.${minor}.${patch + 1}`
}

async function runGit(words, project) {
  const { code, output } = await run('git', words, systemEnvironment(), project)
  if (code !== 0) throw new Failure(`${output.trim()}\nA release is made from a git checkout: clone the project.`)
  return output.trim()
}

/** The changes of a version, without its heading. @param {string} version or `Unreleased` */
export function changesOf(file, version) {
  const sections = readFileSync(file, 'utf8').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version}\n`) || text.startsWith(`${version}, `))
  if (section === undefined)
    throw new Failure(`CHANGELOG.md has nothing on ${version}: create versions with \`npm version\`.`)
  return `# rsvp ${section.trim()}\n`
}

/** @param {string} day e.g. `2026-11-24` */
export function nameUnreleased(file, version, day) {
  const text = readFileSync(file, 'utf8')
  if (!/^## Unreleased\n+- /m.test(text)) {
    throw new Failure('CHANGELOG.md has no unreleased changes: add them first.')
  }
  writeFileSync(file, text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${day}\n`))
}
