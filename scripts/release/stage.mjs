// Writes into a folder what a release contains, but for the packages beside its bundles and its own Node.
import { cpSync, globSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { dist, OWN } from '../build/builds.mjs'
import { root } from '../local-node.mjs'
import { asReleased, bundledParts, licenseTexts } from './parts.mjs'

const FILES = ['*.md', 'LICENSE', '.env.example', 'cli/rsvp', 'cli/launcher.cjs', 'db/migrations', 'docs', 'lab/*.md']

export function stage(folder, version) {
  for (const path of globSync(FILES, { cwd: root })) cpSync(join(root, path), join(folder, path), { recursive: true })
  const filter = (path) => !OWN.test(basename(path))
  cpSync(realpathSync(dist), join(folder, 'builds', 'packed'), { recursive: true, filter })
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenseTexts(bundledParts()))
  const manifest = asReleased(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}
