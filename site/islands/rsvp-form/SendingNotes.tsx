import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { useOnline } from '#site/lib/hooks/use-online.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'

/** Says above the button why the form cannot be sent, or was not. */
export function SendingNotes({
  missing,
  warned,
  failed,
}: {
  /** The part of the form that has not loaded yet. */
  missing: false | { reload: () => Promise<void> }
  /** Whether the form was submitted without that part, and held back once. */
  warned: boolean
  failed: string | undefined
}) {
  const hydrated = useHydrated()
  const online = useOnline()

  return (
    <>
      {hydrated && missing && (
        <div role="status">
          <LoadFailed onRetry={missing.reload}>
            Part of this form has not loaded yet.{warned && ' Not sent: submit again to send it without that part.'}
          </LoadFailed>
        </div>
      )}
      {failed && online && <p className="notice">{failed}</p>}
      {!online && (
        <p className="notice" role="status">
          You are offline. What you typed stays here.
        </p>
      )}
    </>
  )
}
