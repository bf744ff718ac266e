import type { MailState } from '#db/mail/schema.ts'
import { request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { attempt, changeableAt } from './changeable.ts'
import { reasonOr } from './reason.ts'

export const mail = changeableAt('/api/mail')

/** Queues messages once more that were given up, or of which it is unknown whether they were sent. */
export function retryMail(current: MailState, ids: number[]): Promise<boolean> {
  return mail.change(current, {
    send: async () => {
      await request('POST /api/mail/retry', { body: { ids } })
      return (await request('GET /api/mail')).json()
    },
    notice: ({ failed }) =>
      failed.some(({ id }) => ids.includes(id))
        ? { title: t('Not Sent Again'), description: t('Its time is over, or its address is no longer known.') }
        : { title: t('Waiting to be Sent'), description: t('It goes out within a minute.') },
    failure: reasonOr(t('It could not be sent again. Please try again.')),
  })
}

export async function sendTestMail(to: string): Promise<void> {
  const failure = reasonOr(t('The test message could not be sent.'))
  const sent = await attempt(() => request('POST /api/mail/test', { body: { to } }), { failure })
  if (sent)
    addToast({ title: t('Test Message Sent'), description: t('Look into the mailbox of {address}.', { address: to }) })
}
