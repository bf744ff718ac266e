import * as z from 'zod/mini'

/** In characters: whoever finds the file may guess as often as they like. */
export const PASSPHRASE_MINIMUM = 12

export const backupDownload = z.object({
  /** Encrypts the file. Used exactly as it is, because `age` asks for exactly the same. */
  passphrase: z
    .string('Send the passphrase that is to encrypt the backup.')
    .check(
      z.minLength(PASSPHRASE_MINIMUM, `The passphrase needs at least ${PASSPHRASE_MINIMUM} characters.`),
      z.maxLength(1000, 'The passphrase is too long. Choose one of at most 1000 characters.'),
    ),
})

/** Moments are ISO 8601 in UTC. */
export const backups = z.object({
  /** Where the site makes them; null if no folder is set. */
  folder: z.nullable(z.string()),
  /** Why none can be made there, as a sentence. */
  trouble: z.nullable(z.string()),
  /** `responses` is null for one that another database has made. */
  last: z.nullable(z.object({ at: z.string(), file: z.string(), responses: z.nullable(z.int()) })),
  /** When the site makes the next one. */
  next: z.nullable(z.string()),
  drill: z.nullable(z.object({ at: z.string(), passed: z.boolean() })),
  /** The other place for copies, and when the last one was sent there. */
  copies: z.nullable(z.object({ place: z.string(), at: z.nullable(z.string()) })),
})
export type Backups = z.output<typeof backups>
