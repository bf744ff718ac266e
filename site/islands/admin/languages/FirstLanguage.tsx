import { type SubmitEvent, useState } from 'react'
import type { EventLanguages } from '#db/event/schema.ts'
import { type Language, languages } from '#db/language/languages.ts'
import { changeEventLanguage } from '#site/stores/admin/event-languages.ts'
import { capitalized, languageName } from '#site/texts/language-name.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** In which language the event itself is written. Nothing is sent before it is saved. */
export function FirstLanguage({ current }: { current: EventLanguages }) {
  const [chosen, setChosen] = useState<Language>()
  const offered = languages.filter((language) => !current.translations.includes(language))

  async function save(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault()
    if (!chosen || !(await changeEventLanguage(current, chosen))) return
    setChosen((now) => (now === chosen ? undefined : now))
  }

  return (
    <form className="translations__first" onSubmit={save}>
      <Field label={t('The Event Is Written In')}>
        {(wiring) => (
          <select
            {...wiring}
            name="language"
            value={chosen ?? current.language}
            onChange={({ currentTarget }) => setChosen(currentTarget.value as Language)}
          >
            {offered.map((language) => (
              <option key={language} value={language}>
                {capitalized(languageName(language))}
              </option>
            ))}
          </select>
        )}
      </Field>
      {chosen !== undefined && chosen !== current.language && (
        <Button type="submit" variant="secondary">
          {t('Save')}
        </Button>
      )}
    </form>
  )
}
