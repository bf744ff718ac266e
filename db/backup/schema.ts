import * as z from 'zod/mini'

/** The folder of the backups and how many to keep; all if `keep` is absent. */
export const backupRequest = z.object({
  /** An absolute path; the folder is created if it does not exist. */
  folder: z.string(),
  /** The file of the database: its account gets a folder that root makes. */
  database: z.optional(z.string()),
  keep: z.optional(z.int().check(z.positive())),
})

/** The folder of the backups, if set: the files in it count too. */
export const lastBackupRequest = z.object({ folder: z.optional(z.string()) })
