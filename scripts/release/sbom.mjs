// Writes the list of everything that a release contains, as a software bill of materials (CycloneDX 1.6, JSON).
import { createHash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

const MIT = new Models.NamedLicense('MIT')

/**
 * The same text for the same release: its number and time follow from what is in it.
 * @param {{ version: string, time: Date, parts: import('./parts.mjs').Part[] }} release
 */
export function sbomOf({ version, time, parts }) {
  const product = new Models.Component(Enums.ComponentType.Application, 'rsvp', { version, bomRef: `rsvp@${version}` })
  product.licenses.add(MIT)
  const components = parts.map(componentOf)
  for (const { bomRef } of components) product.dependencies.add(bomRef)
  const bom = new Models.Bom({
    serialNumber: `urn:uuid:${uuidOf(
      components
        .map(({ bomRef }) => bomRef.value)
        .sort()
        .join('\n'),
    )}`,
    metadata: new Models.Metadata({ component: product, timestamp: time }),
    components: new Models.ComponentRepository(components),
  })
  return new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 2,
  })
}

function componentOf({ name, version, license }) {
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined
  const component = new Models.Component(Enums.ComponentType.Library, name.split('/').at(-1), {
    group: scope,
    version,
    bomRef: `${name}@${version}`,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })
  component.licenses.add(licenseOf(license))
  return component
}

/** What package.json says: an identifier, an expression, or words of its own. */
function licenseOf(license) {
  if (/^\(?[\w.+-]+( (OR|AND|WITH) [\w.+() -]+)+\)?$/.test(license)) return new Models.LicenseExpression(license)
  return /^[\w.+-]+$/.test(license) ? new Models.SpdxLicense(license) : new Models.NamedLicense(license)
}

function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
