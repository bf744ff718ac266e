import type { MailKind, MailState } from '#db/values/mail.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { account } from '#site/stores/admin/administrators.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { mail, retryMail, sendTestMail } from '#site/stores/admin/settings.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { Listed } from './Listed.tsx'

const kindTexts = (): Record<MailKind, string> => ({
  confirmation: t('Confirmation of an RSVP'),
  link: t('Private link'),
  reminder: t('Reminder'),
  skipped: t('Service Skipped'),
  held: t('Service Restored'),
  sheet: t('Sheet'),
  digest: t('What has come in'),
  prayer: t('Prayer request'),
})

/** Whether messages go out, and which did not. */
export function MailPanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel id="mail" title={t('Mail')} reading={useChangeable(undefined, mail)}>
      {(state) => <Messages state={state} admin={admin} />}
    </LoadedPanel>
  )
}

function Messages({ state, admin }: { state: MailState; admin: AdminPage }) {
  const own = useChangeable(admin.account, account, admin.account !== undefined).data?.email
  const form = useForm(() => sendTestMail(own ?? ''))
  const { trouble, waiting, failed } = state

  return (
    <div className="stack">
      {trouble !== null && <p className="notice notice--warning">{trouble}</p>}
      <p>
        {plural(waiting, '{count} message is waiting for its time.', '{count} messages are waiting for their time.')}
      </p>
      {failed.length > 0 && (
        <section className="part" aria-labelledby="mail-failed">
          <h3 id="mail-failed">{t('Not sent, or perhaps not')}</h3>
          <ul>
            {failed.map(({ id, kind, at, failure }) => {
              const message = kindTexts()[kind]
              const moment = formatMoment(at, admin.zone)
              const about = t('Send again: {message}, {moment}', { message, moment })
              // The address of a link is removed when it fails: its visitor asks once more.
              const again = { label: t('Send again'), about, next: 'mail', onPress: () => retryMail([id]) }
              const actions = kind === 'link' ? [] : [again]
              return <Listed key={id} name={message} notes={[moment, failure]} actions={actions} />
            })}
          </ul>
        </section>
      )}
      {own && (
        <Form of={form}>
          <Submit variant="secondary" pendingText={t('Sending a test message...')}>
            {t('Send a test message to me')}
          </Submit>
        </Form>
      )}
    </div>
  )
}
