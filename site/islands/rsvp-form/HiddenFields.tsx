import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { t } from '#site/texts/texts.ts'

/** Fields that the form sends by itself, and the honeypot that only programs fill in. */
export function HiddenFields({ page }: { page: string }) {
  const hydrated = useHydrated()

  return (
    <>
      {/* Enter activates a form's first submit button: without JavaScript that must not be one that adds or removes. */}
      {!hydrated && <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <input type="hidden" name="page" value={page} />
      {/* The honeypot: the browser must neither fill it in nor focus it. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          {t('Leave this empty')}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    </>
  )
}
