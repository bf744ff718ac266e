import * as z from 'zod/mini'

/** Where backups go, and how many of them stay; all of them where `keep` is left out. */
export const backupRequest = z.object({
  /** An absolute path; the folder is made where it is not there. */
  folder: z.string(),
  /** The file of the database: its account gets a folder that root makes. */
  database: z.optional(z.string()),
  keep: z.optional(z.int().check(z.positive())),
})

/** Where backups go, if that is set: what lies there counts as well. */
export const lastBackupRequest = z.object({ folder: z.optional(z.string()) })
