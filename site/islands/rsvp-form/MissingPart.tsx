import { t } from '#site/texts/texts.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'

/** Says that a part of the form could not be loaded. */
export function MissingPart({
  reload,
  warned,
}: {
  reload: () => Promise<void>
  /** Whether the form was submitted without that part, and held back once. */
  warned: boolean
}) {
  return (
    <div role="status">
      <LoadFailed onRetry={reload}>
        {t('Part of this form has not loaded yet.')}
        {warned && ` ${t('Not sent: submit again to send it without that part.')}`}
      </LoadFailed>
    </div>
  )
}
