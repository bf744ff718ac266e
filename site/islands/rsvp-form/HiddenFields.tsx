import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'

/** What the form sends along by itself, and what only programs fill in. */
export function HiddenFields({
  page,
  formKey,
  drawnAt,
}: {
  page: string
  formKey: string
  drawnAt: number | undefined
}) {
  const hydrated = useHydrated()

  return (
    <>
      {/* Enter presses a form's first button: without JavaScript that must not be one that adds or removes. */}
      {!hydrated && <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="formKey" value={formKey} />
      {drawnAt && <input type="hidden" name="drawnAt" value={drawnAt} />}
      {/* For programs that fill in whatever there is. The browser must not help them, nor lead anybody here. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          Leave this empty
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    </>
  )
}
