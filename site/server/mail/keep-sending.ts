import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Mail } from '#db/config/config.ts'
import { isMailDue, sendDue } from '#db/mail/deliver.ts'
import { queueScheduledMail } from '#db/rsvp/queue-mail.ts'
import { isOutage } from '#db/values/errors.ts'
import { overridable } from '#db/values/test-override.ts'
import type { PublicUrl } from '#site/server/access/site-state.ts'
import { logBug, logOutage } from '#site/server/log.ts'
import { siteCall } from '#site/server/program.ts'
import { compose } from './compose.ts'

const INTERVAL_MS = overridable('MAIL_INTERVAL_MS', 20_000)
/** How long a stop of the site waits for the mail server to reply to the current message. */
const GRACE_MS = 700

/** Queues mail that is due by date, and sends queued mail, until the site stops. */
export async function keepSending(mail: Mail, publicUrl: PublicUrl, stopping: AbortSignal): Promise<void> {
  const ending = new AbortController()
  stopping.addEventListener('abort', () => setTimeout(() => ending.abort(), GRACE_MS))
  const sender = { holder: randomUUID(), mail, compose, stopping, ending: ending.signal }
  const call = () => ({ ...siteCall(), sendsMail: true })

  async function sendOnce(): Promise<void> {
    await queueScheduledMail(call())
    if (!(await isMailDue(new Date()))) return
    await publicUrl.refresh()
    await sendDue({ ...sender, origin: publicUrl.current() }, call)
  }

  while (!stopping.aborted) {
    // Mail that fails is tried again soon.
    await sendOnce().catch((error) => (isOutage(error) ? logOutage(error) : logBug(error, 'mail')))
    await delay(INTERVAL_MS, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}
