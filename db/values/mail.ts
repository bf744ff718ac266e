import * as z from 'zod/mini'
import { emailAddress } from './schemas.ts'

/**
 * To visitors: the confirmation of an RSVP, the link that they have lost, the reminder of a service, and that a service is
 * skipped, or held after all. They can stop these.
 */
const forVisitors = ['confirmation', 'link', 'reminder', 'skipped', 'held'] as const
/** The sheet of a service, what came in a day, a prayer request. They have chosen these. */
const forAdministrators = ['sheet', 'digest', 'prayer'] as const
const mailKinds = [...forVisitors, ...forAdministrators] as const
export type MailKind = (typeof mailKinds)[number]

export const promisedMails = ['confirmation', 'reminder'] as const
export type PromisedMail = (typeof promisedMails)[number]

/** What an administrator can choose to get by mail. */
export const mailChoices = ['sheet', 'digest', 'prayers'] as const
export type MailChoice = (typeof mailChoices)[number]

/** What `getMailState` returns, with the reasons in words. */
export const mailState = z.object({
  /** Whether a mail server is set. */
  configured: z.boolean(),
  /** Why messages wait that are due, as a sentence; null if none does. */
  trouble: z.nullable(z.string()),
  /** How many are still to be sent, those that are not due included. */
  waiting: z.int(),
  /** Those that were given up, or of which it is unknown whether they were sent: the newest 100, newest first. */
  failed: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(mailKinds),
      /** When it was given up, ISO 8601 in UTC. */
      at: z.string(),
      /** Why, as a sentence without personal data. */
      failure: z.string(),
    }),
  ),
})
export type MailState = z.output<typeof mailState>

/** Without `ids`, all of them. */
export const mailRetry = z.object({ ids: z.optional(z.array(z.int()).check(z.maxLength(100))) })

/** Only a command may name the address of someone else. */
export const testMail = z.object({ to: z.optional(emailAddress) })
