import * as z from 'zod/mini'

/** Moments are ISO 8601 in UTC. */
export const backups = z.object({
  /** The folder in which the site makes backups; null if none is set. */
  folder: z.nullable(z.string()),
  /** Why no backup can be made there, as a sentence. */
  trouble: z.nullable(z.string()),
  last: z.nullable(z.object({ at: z.string(), file: z.string() })),
  /** When the site makes the next backup. */
  next: z.nullable(z.string()),
})
export type Backups = z.output<typeof backups>
