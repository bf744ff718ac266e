import type { mailQueue } from './table.ts'

export type QueuedMail = typeof mailQueue.$inferSelect

/** A message as it is sent: the sender and the headers that stop it are added. */
export type Message = {
  to: string
  subject: string
  text: string
  html: string
  /** An iCalendar file with the service, attached. */
  calendar?: string
}

/**
 * Makes the message from what the database says now.
 * @param linkTo adds the origin to a path of the site.
 * @returns undefined if there is nothing to send any more, e.g. because the RSVP was withdrawn.
 */
export type Compose = (mail: QueuedMail, linkTo: (path: string) => string, now: Date) => Promise<Message | undefined>
