import type { PublicNames } from './schema.ts'

/** What each choice means, wherever it is made. */
export const publicNamesTexts: Record<PublicNames, { label: string; description: string }> = {
  full: { label: 'Full names', description: 'Everybody reads who comes, as in Ana Cole.' },
  initial: { label: 'First name and last initial', description: 'Everybody reads who comes, as in Ana C.' },
  counts: { label: 'Numbers only', description: 'Everybody reads how many come, and no names.' },
  none: { label: 'No list', description: 'Nobody but you sees who comes, or how many.' },
}
