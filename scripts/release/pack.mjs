// Writes the files of a release that are not in git: a copy of the current build (npm packs no symlinks, and `dist` is
// one), the licenses of bundled packages, and the reference of the command. `npm pack` calls it before packing, and
// with --remove afterwards.
import { cpSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { dist, OWN } from '../build/builds.mjs'
import { commandLinePage } from '../documents/command-line.ts'
import { root } from '../local-node.mjs'
import { bundledParts, licenseTexts } from './parts.mjs'

const packed = join(root, 'builds', 'packed')
const licenses = join(root, 'THIRD-PARTY-LICENSES.txt')
const reference = join(root, 'docs', 'command-line.md')

rmSync(packed, { recursive: true, force: true })
rmSync(licenses, { force: true })
rmSync(reference, { force: true })
if (!process.argv.includes('--remove')) {
  cpSync(realpathSync(dist), packed, { recursive: true, filter: (path) => !OWN.test(basename(path)) })
  writeFileSync(licenses, licenseTexts(bundledParts()))
  writeFileSync(reference, commandLinePage())
}
