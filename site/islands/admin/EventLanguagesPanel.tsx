import { useState } from 'react'
import type { EventLanguages } from '#db/event/schema.ts'
import { type Language, languageNames, languages } from '#db/language/languages.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { changeEventLanguage, eventLanguages } from '#site/stores/admin/event-languages.ts'
import { volunteerRoles } from '#site/stores/admin/volunteer-roles.ts'
import { capitalized, languageName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { TranslationForm } from './TranslationForm.tsx'

export function EventLanguagesPanel({ admin: { languages: rendered, event, roles } }: { admin: AdminPage }) {
  const offered = useChangeable(roles, volunteerRoles).data ?? []
  const [opened, setOpened] = useState<Language>()
  const [left, setLeft] = useState<Language>()

  function close() {
    setLeft(opened)
    setOpened(undefined)
  }

  return (
    <LoadedPanel
      id="event-languages"
      title={t('Languages of the Event')}
      description={t(
        'Visitors choose the language of the site themselves. Here you give them your own texts and the names of your roles in it too; where you leave one empty, they read the original.',
      )}
      reading={useChangeable(rendered, eventLanguages)}
    >
      {(data) =>
        opened ? (
          <TranslationForm current={data} event={event} roles={offered} language={opened} onClose={close} />
        ) : (
          <div className="stack">
            <FirstLanguage current={data} />
            <ul className="translations">
              {languages
                .filter((language) => language !== data.language)
                .map((language) => {
                  const isTranslated = data.translations.some((one) => one.language === language)
                  const name = languageName(language)
                  const ownName = languageNames[language]
                  return (
                    <li key={language} className="item">
                      <div>
                        {capitalized(name)}{' '}
                        {ownName !== capitalized(name) && (
                          <span className="field__hint" lang={language}>
                            {ownName}
                          </span>
                        )}
                        <p className="field__hint">{isTranslated ? t('Translated') : t('Not translated')}</p>
                      </div>
                      <Button
                        variant="quiet"
                        // Returns the focus here once its form has closed.
                        autoFocus={language === left}
                        aria-label={
                          isTranslated
                            ? t('Edit the event in {language}', { language: name })
                            : t('Translate the event into {language}', { language: name })
                        }
                        onClick={() => setOpened(language)}
                      >
                        {isTranslated ? t('Edit') : t('Translate')}
                      </Button>
                    </li>
                  )
                })}
            </ul>
          </div>
        )
      }
    </LoadedPanel>
  )
}

/** Chooses the language in which the event itself is written. */
function FirstLanguage({ current }: { current: EventLanguages }) {
  const offered = languages.filter((language) => !current.translations.some((one) => one.language === language))
  const { form, pending } = useForm((text) => changeEventLanguage(text('language') as Language))

  return (
    <form {...form} className="flow">
      <Field
        as="select"
        key={current.language}
        label={t('The Event Is Written In')}
        name="language"
        defaultValue={current.language}
      >
        {offered.map((language) => (
          <option key={language} value={language}>
            {capitalized(languageName(language))}
          </option>
        ))}
      </Field>
      <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
        {t('Save')}
      </Button>
    </form>
  )
}
