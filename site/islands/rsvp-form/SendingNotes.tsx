import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { useOnline } from '#site/lib/hooks/use-online.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'

/** What stands above the button while the form cannot be sent, or was not. */
export function SendingNotes({
  missing,
  warned,
  failed,
}: {
  /** The part that has not arrived yet. */
  missing: false | { reload: () => Promise<void> }
  /** It was submitted all the same, and held back once. */
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
            A part of this form has not arrived yet.{warned && ' Not sent: submit again to answer without it.'}
          </LoadFailed>
        </div>
      )}
      {failed && online && <p className="notice">{failed}</p>}
      {!online && (
        <p className="notice" role="status">
          You are offline. What you typed stays here; submit it when you are connected again.
        </p>
      )}
    </>
  )
}
