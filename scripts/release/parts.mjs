// Lists the packages of a release, in its bundles and beside them, with their licenses.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist } from '../build/builds.mjs'
import { PACKAGES_FILE } from '../build/bundle.mjs'
import { root } from '../local-node.mjs'

/** @typedef {{ folder: string, name: string, version: string, license: string }} Part */

const LICENSE_FILE = /^(licen[cs]e|copying|notice|third-party-notices)([.-].*)?$/i
const RULE = '-'.repeat(72)

/** Native code cannot be bundled: npm installs it beside a release. */
const NATIVE = ['@resvg/resvg-js', 'libsql', 'sharp']

/** The package.json of a release, or its copy in the lockfile: all but native packages are in its bundles. */
export function asReleased({ scripts, devDependencies, private: isPrivate, files, dependencies, ...manifest }) {
  const native = Object.entries(dependencies).filter(([name]) => NATIVE.includes(name))
  return { ...manifest, dependencies: Object.fromEntries(native) }
}

/** The packages in the bundles of the current build, once each. @returns {Part[]} by name */
export function bundledParts() {
  const folders = JSON.parse(readFileSync(join(dist, PACKAGES_FILE), 'utf8'))
  return sorted(folders.map((folder) => partIn(join(root, folder))))
}

/** The packages in a folder named node_modules. @returns {Part[]} by name */
export function installedParts(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  )
  const parts = entries.flatMap(({ name }) =>
    name.startsWith('@') ? installedParts(join(folder, name)) : [partIn(join(folder, name))],
  )
  return sorted(parts)
}

function partIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { folder, name, version, license: license ?? 'SEE LICENSE' }
}

/** @param {Part[]} parts @returns {Part[]} once each, by name */
export function sorted(parts) {
  const once = new Map(parts.map((part) => [refOf(part), part]))
  return Array.from(once.keys())
    .sort()
    .map((key) => once.get(key))
}

/** The license texts of all packages in a release, which most licenses require. @param {Part[]} parts */
export function licenseTexts(parts) {
  const texts = parts.map(({ folder, name, version, license }) => {
    const files = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort()
    const words = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [RULE, `${name} ${version} (${license})`, RULE, ...words].join('\n\n')
  })
  return `This program contains the following packages, each under its own license.\n\n${texts.join('\n\n')}\n`
}

/**
 * The list as a software bill of materials (CycloneDX 1.6, JSON). The same text for the same release: its serial number
 * and time follow from its contents.
 * @param {{ version: string, time: Date, parts: Part[] }} release
 */
export function sbomOf({ version, time, parts }) {
  const all = sorted(parts)
  const components = all.map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': refOf({ name, version }),
    ...(name.startsWith('@') && { group: name.split('/')[0] }),
    name: name.split('/').at(-1),
    version,
    licenses: [licenseOf(license)],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }))
  const names = all.map(refOf)
  const product = `rsvp@${version}`
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    serialNumber: `urn:uuid:${uuidOf(names.join('\n'))}`,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', 'bom-ref': product, name: 'rsvp', version, licenses: [licenseOf('MIT')] },
    },
    components,
    dependencies: [{ ref: product, dependsOn: names }, ...names.map((ref) => ({ ref }))],
  }
  return JSON.stringify(bom, null, 2)
}

const refOf = ({ name, version }) => `${name}@${version}`

/** As in package.json: an SPDX identifier, an expression, or free text. */
function licenseOf(license) {
  if (/^\(?[\w.+-]+( (OR|AND|WITH) [\w.+() -]+)+\)?$/.test(license)) return { expression: license }
  return { license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }
}

function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
