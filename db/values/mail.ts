import * as z from 'zod/mini'
import { emailAddress } from './schemas.ts'

/**
 * The confirmation of an RSVP, a link that was lost, the reminder of a service, and the news that a service is skipped, or
 * held after all. Visitors can stop these.
 */
const forVisitors = ['confirmation', 'link', 'reminder', 'skipped', 'held'] as const
/** The sheet of a service, the responses of a day, a prayer request. Administrators choose these. */
const forAdministrators = ['sheet', 'digest', 'prayer'] as const
const mailKinds = [...forVisitors, ...forAdministrators] as const
export type MailKind = (typeof mailKinds)[number]

export const promisedMails = ['confirmation', 'reminder'] as const
export type PromisedMail = (typeof promisedMails)[number]

/** What an administrator can choose to get by mail. */
export const mailChoices = ['sheet', 'digest', 'prayers'] as const
export type MailChoice = (typeof mailChoices)[number]

export const mailState = z.object({
  /** Whether a mail server is set. */
  configured: z.boolean(),
  /** Why due messages are waiting, as a sentence; null if none is. */
  trouble: z.nullable(z.string()),
  /** How many messages are still to be sent, including those that are not due yet. */
  waiting: z.int(),
  /** The newest 100 messages that were given up, or may not have been sent, newest first. */
  failed: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(mailKinds),
      /** The moment of the failure, ISO 8601 in UTC. */
      at: z.string(),
      /** The reason, as a sentence without personal data. */
      failure: z.string(),
    }),
  ),
})
export type MailState = z.output<typeof mailState>

/** Without `ids`, all failed messages. */
export const mailRetry = z.object({ ids: z.optional(z.array(z.int()).check(z.maxLength(100))) })

/** Only a command may name the address of someone else. */
export const testMail = z.object({ to: z.optional(emailAddress) })
