// Writes what a release has and git has not: a copy of the current build (npm packs no links, and `dist` is one), the
// licenses of what is bundled, and the reference of the command. `npm pack` calls it before, and with --remove after.
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
