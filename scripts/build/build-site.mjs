// Builds the site and the command beside the current build, and switches to the new build once it has started once.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildingWith, freeMemory } from '../install/memory.mjs'
import { localEnvironment, localNode, root, toolScript } from '../local-node.mjs'
import { Failure, run, withProgress } from '../run.mjs'
import { beginBuild, discardBuild, dist, findBuild, isBuiltFrom, keepBuild, switchTo } from './builds.mjs'
import { proveBuild } from './prove-build.mjs'

const buildInputs = [
  'site',
  'cli',
  'db',
  'astro.config.mjs',
  'scripts/build/bundled-packages.mjs',
  'scripts/build/remember-packages.mjs',
  'scripts/build/precompress.mjs',
  'scripts/build/programs.mjs',
  'scripts/build/build-cli.mjs',
  'scripts/build/compact.mjs',
  'scripts/build/light-builtins.mjs',
  'scripts/build/same-bytes.mjs',
  'scripts/build/elsewhere.mjs',
  'scripts/build/unused-packages.mjs',
  'scripts/build/builds.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const notBuilt = /\.test\.tsx?$|^site\/e2e\//

export function isSiteBuilt() {
  return isBuiltFrom(dist, fingerprintOfSources())
}

/** The current build stays untouched until the new one has started once. */
export async function buildSite() {
  const fingerprint = fingerprintOfSources()
  const isFirst = !existsSync(dist)
  try {
    let folder = findBuild(fingerprint)
    if (folder === undefined) {
      console.error('Building the site…')
      beginBuild()
      const { words, variables, warning } = buildingWith(freeMemory())
      if (warning !== undefined) console.error(warning)
      await withProgress(
        () => 'still building',
        async () => {
          await runBuild([...words, toolScript('astro'), 'build'], variables)
          await runBuild(['scripts/build/build-cli.mjs'])
        },
      )
      folder = keepBuild(fingerprint)
    }
    await proveBuild(folder).catch((error) => {
      discardBuild(folder)
      throw error
    })
    switchTo(folder)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const todo = 'Fix what it names, then run the same command again.'
    const meanwhile = 'Until then the previous build stays in use: `npx rsvp serve` starts it.'
    throw new Failure([error.message, todo, ...(isFirst ? [] : [meanwhile])].join('\n'))
  }
}

async function runBuild(words, variables = {}) {
  const { code, output } = await run(localNode(), words, localEnvironment({ NODE_ENV: 'production', ...variables }))
  if (code !== 0) throw new Failure(`${lastLines(output)}\nThe build failed, see above.`)
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-40).join('\n')
}

function fingerprintOfSources() {
  const hash = createHash('sha256')
  for (const path of buildInputs.flatMap((input) => filesOf(input))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  const absolute = join(root, path)
  if (!existsSync(absolute) || notBuilt.test(`${path}/`) || notBuilt.test(path)) return []
  if (!statSync(absolute).isDirectory()) return [path]
  const names = readdirSync(absolute).sort()
  return names.flatMap((name) => filesOf(`${path}/${name}`))
}
