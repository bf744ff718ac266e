// Writes the list of everything that a release contains, as a software bill of materials (CycloneDX 1.6, JSON).
import { createHash } from 'node:crypto'

/**
 * The same text for the same release: its number and time follow from what is in it.
 * @param {{ version: string, time: Date, parts: import('./parts.mjs').Part[] }} release
 */
export function sbomOf({ version, time, parts }) {
  const sorted = parts.toSorted((one, other) => (refOf(one) < refOf(other) ? -1 : 1))
  const components = sorted.map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': refOf({ name, version }),
    ...(name.startsWith('@') && { group: name.split('/')[0] }),
    name: name.split('/').at(-1),
    version,
    licenses: [licenseOf(license)],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }))
  const names = sorted.map(refOf)
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

/** What package.json says: an identifier, an expression, or words of its own. */
function licenseOf(license) {
  if (/^\(?[\w.+-]+( (OR|AND|WITH) [\w.+() -]+)+\)?$/.test(license)) return { expression: license }
  return { license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }
}

function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
