import { EVENT_TEXT_MAXIMUM } from '#db/event/content.ts'
import { directionOf, type Language } from '#db/language/languages.ts'
import { languageName } from '#site/texts/language-name.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** One text of the event in another language, below what the event itself says. */
export function TranslatedField({
  label,
  name,
  multiline = false,
  maxLength = EVENT_TEXT_MAXIMUM,
  language,
  text,
  first,
  isKnown = false,
  theirs,
  error,
  autoFocus = false,
  onChange,
}: {
  label: string
  name: string
  multiline?: boolean | undefined
  maxLength?: number
  language: Language
  text: string
  /** What the event itself says. */
  first: { language: Language; text: string }
  /** Where it is left empty, the site has a translation of its own. */
  isKnown?: boolean
  /** What someone else has stored meanwhile, where it differs. */
  theirs?: string | undefined
  error?: string | undefined
  autoFocus?: boolean
  onChange: (text: string) => void
}) {
  const isMissing = text.trim() === '' && first.text !== '' && !isKnown
  return (
    <Field label={label} error={error}>
      {(wiring) => {
        const sourceId = `${wiring.id}-first`
        const noteId = `${wiring.id}-note`
        const shared = {
          ...wiring,
          'aria-describedby': [wiring['aria-describedby'], sourceId, isMissing && noteId].filter(Boolean).join(' '),
          name,
          lang: language,
          dir: directionOf(language),
          value: text,
          maxLength,
          autoComplete: 'off',
          autoFocus,
          onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
        }
        return (
          <>
            <span id={sourceId} className="translation__first">
              {first.text ? (
                <span lang={first.language} dir="auto">
                  {first.text}
                </span>
              ) : (
                <em>{t('Left empty')}</em>
              )}
            </span>
            {multiline ? <textarea {...shared} rows={4} /> : <input {...shared} />}
            {isMissing && (
              <span id={noteId} className="translation__note">
                {t('Not translated: visitors read it in {language}.', { language: languageName(first.language) })}
              </span>
            )}
            {theirs !== undefined && (
              <span className="translation__theirs">
                <span className="translation__note">{t('Theirs')}</span>
                <span lang={language} dir={directionOf(language)}>
                  {theirs || <em>{t('Left empty')}</em>}
                </span>
                <Button variant="secondary" onClick={() => onChange(theirs)}>
                  {t('Use Theirs')}
                </Button>
              </span>
            )}
          </>
        )
      }}
    </Field>
  )
}
