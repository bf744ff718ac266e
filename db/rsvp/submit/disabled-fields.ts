import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureFields } from '#db/rsvp/schema.ts'

/** Removes the fields of disabled features, unread: a form may have been open when a feature was switched off. */
export function dropDisabledFields(input: unknown, features: Features): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const off: string[] = featureNames.filter((name) => !features[name]).flatMap((name) => featureFields[name])
  if (off.length === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !off.includes(field)))
}
