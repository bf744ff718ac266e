import { request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { attempt } from './attempt.ts'
import { changeableAt } from './changeable.ts'

export const mail = changeableAt('/api/mail')

/** Queues messages once more that were given up, or of which it is unknown whether they were sent. */
export function retryMail(ids: number[]): Promise<boolean> {
  const retry = async () => (await request('POST /api/mail/retry', { body: { ids } })).json()
  return mail.change(retry, {
    notice: ({ queued }) =>
      queued === 0
        ? { title: t('Not Sent Again'), description: t('Its time is over, or its address is no longer known.') }
        : { title: t('Waiting to be Sent'), description: t('It goes out within a minute.') },
    failure: t('It could not be sent again. Please try again.'),
  })
}

export async function sendTestMail(to: string): Promise<void> {
  const failure = t('The test message could not be sent.')
  const sent = await attempt(() => request('POST /api/mail/test', { body: { to } }), { failure })
  if (sent)
    addToast({ title: t('Test Message Sent'), description: t('Look into the mailbox of {address}.', { address: to }) })
}
