// Puts the current build where npm packs it from: npm packs no links, and `dist` is one. `npm pack` calls it before, and
// with --remove after.
import { cpSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { dist, OWN } from '../build/builds.mjs'
import { root } from '../local-node.mjs'
import { bundledParts, licenseTexts } from './parts.mjs'

const packed = join(root, 'builds', 'packed')
const licenses = join(root, 'THIRD-PARTY-LICENSES.txt')

rmSync(packed, { recursive: true, force: true })
rmSync(licenses, { force: true })
if (!process.argv.includes('--remove')) {
  cpSync(realpathSync(dist), packed, { recursive: true, filter: (path) => !OWN.test(basename(path)) })
  writeFileSync(licenses, licenseTexts(bundledParts()))
}
