import * as z from 'zod/mini'
import { isOrigin } from './schemas.ts'

/** How the public list shows names. */
export const publicNames = ['full', 'initial', 'counts', 'none'] as const
export type PublicNames = (typeof publicNames)[number]

const RETENTION_MAXIMUM = 3650

const wholeDays = 'Give the retention as a whole number of days, or null to keep everything.'
const retentionDays = z
  .int(wholeDays)
  .check(
    z.gte(1, 'Keep responses for at least one day.'),
    z.lte(RETENTION_MAXIMUM, `Keep responses for at most ${RETENTION_MAXIMUM} days, or give null to keep everything.`),
  )

const publicUrl = z.string().check(
  z.trim(),
  z.refine(isOrigin, { error: 'Give scheme and host only, e.g. https://rsvp.example.org.', abort: true }),
  z.overwrite((url) => new URL(url).origin),
)

export const retention = z.object({ days: retentionDays })

export const settings = z.object({
  /** Only for guarded mode: in open mode every visitor sees everything. */
  publicNames: z.enum(publicNames, `The names are one of ${publicNames.join(', ')}.`),
  /** After how many days the names, addresses and texts of an RSVP are removed, but not what is counted; null for never. */
  retentionDays: z.nullable(retentionDays),
  /** The address that people use, unless PUBLIC_URL is set. */
  publicUrl: z.nullable(publicUrl),
  /** Whether the form has a field of its own for prayer requests. */
  prayers: z.boolean('Say with true or false whether the form asks for prayer requests.'),
  /** After how many days a prayer request is erased; null keeps it as long as its RSVP. */
  prayerDays: z.nullable(
    z
      .int('Give a whole number of days, or null to keep prayer requests as long as their RSVPs.')
      .check(
        z.gte(1, 'Keep prayer requests for at least one day.'),
        z.lte(RETENTION_MAXIMUM, `Keep prayer requests for at most ${RETENTION_MAXIMUM} days, or give null.`),
      ),
  ),
})
export type Settings = z.output<typeof settings>

/** `olderThan` asks how many responses a retention of so many days would touch. */
export const settingsRequest = z.object({ olderThan: z.optional(z.pipe(z.coerce.number(wholeDays), retentionDays)) })

export const settingsChange = z
  .strictObject(z.partial(settings).shape, 'Send publicNames, retentionDays, publicUrl, prayers or prayerDays.')
  .check(z.refine((change) => Object.keys(change).length > 0, 'Name at least one setting to change.'))
