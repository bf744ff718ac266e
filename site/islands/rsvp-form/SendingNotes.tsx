import { useOnline } from '#site/lib/hooks/use-online.ts'
import { t } from '#site/texts/texts.ts'

/** Says above the button why the form cannot be sent, or was not. */
export function SendingNotes({ failed }: { failed: string | undefined }) {
  const online = useOnline()

  return (
    <>
      {failed && online && <p className="notice">{failed}</p>}
      <div role="status">{!online && <p className="notice">{t('You are offline. What you typed stays here.')}</p>}</div>
    </>
  )
}
