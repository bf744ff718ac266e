import { and, asc, isNull, min } from 'drizzle-orm'
import { db, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { mailQueue, mailState, mailStops } from '#db/tables/mail.ts'
import { emptyTables, testCall } from '#testing/database-fixtures.ts'
import { type Compose, type Sender, sendDue } from './deliver.ts'
import { queueMail } from './queue.ts'

const start = testCall().now
export const clock = { now: start }
export const call = () => testCall({ now: clock.now, sendsMail: true })
export const inMinutes = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

const addressOf = (key: string) => `${key.replace(' ', '-')}@cole.example`
export const recipientOf = (id: number) => addressOf(`confirmation ${id}`)

export const compose: Compose = async ({ key, language }) => ({
  to: addressOf(key),
  subject: 'We have your RSVP',
  text: `See you ${language}`,
  html: '<p>See you</p>',
})
const never = new AbortController().signal
export function senderTo(mail: Sender['mail'], changes: Partial<Sender> = {}): Sender {
  return { holder: 'this', mail, compose, origin: 'https://rsvp.example', stopping: never, ending: never, ...changes }
}

/** Sets the clock back to the start, and empties the queue. */
export async function emptyQueue(): Promise<void> {
  clock.now = start
  await emptyTables(mailQueue, mailState, mailStops, allowances)
}

/** Queues confirmations 1 to `count`, except those queued before. They are due at once, and too late after ten hours. */
export async function queue(count: number, changes: Partial<Parameters<typeof queueMail>[1][number]> = {}) {
  const mails = Array.from({ length: count }, (_, at) => ({
    ...{ key: `confirmation ${at + 1}`, kind: 'confirmation' as const, address: `kept-${at}@cole.example` },
    ...{ dueAt: start.toISOString(), endsAt: inMinutes(600).toISOString(), ...changes },
  }))
  await transaction((tx) => queueMail(tx, mails, start))
}
export const rows = () => db.select().from(mailQueue).orderBy(asc(mailQueue.id))

/** Sends the due messages every minute, as the site does, up to this minute. */
export async function sendUntil(minute: number, sender: Sender) {
  const isOpen = and(isNull(mailQueue.sentAt), isNull(mailQueue.failedAt))
  const first = { dueAt: min(mailQueue.dueAt) }
  let dueAt: string | undefined
  for (; clock.now <= inMinutes(minute); clock.now = new Date(clock.now.getTime() + 60_000)) {
    dueAt ??= (await db.select(first).from(mailQueue).where(isOpen))[0]?.dueAt ?? 'never'
    if (dueAt > clock.now.toISOString()) continue
    await sendDue(sender, call)
    dueAt = undefined
  }
}
