import type { PublicNames } from './schema.ts'

export const publicNamesTexts: Record<PublicNames, { label: string; description: string }> = {
  full: { label: 'Full names', description: 'Visitors see who is coming, e.g. Ana Cole.' },
  initial: { label: 'First name and last initial', description: 'Visitors see who is coming, e.g. Ana C.' },
  counts: { label: 'Numbers only', description: 'Visitors see how many people are coming, but no names.' },
  none: { label: 'No list', description: 'Visitors see neither who is coming nor how many.' },
}
