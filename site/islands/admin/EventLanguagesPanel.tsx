import { useId, useState } from 'react'
import type { EventLanguages } from '#db/values/event.ts'
import { EVENT_TEXT_MAXIMUM, type EventContent, translatedNames } from '#db/values/event-content.ts'
import { directionOf, type Language, languages } from '#db/values/languages.ts'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/values/volunteer-role.ts'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import {
  changeEventLanguage,
  eventLanguages,
  removeTranslation,
  saveTranslation,
  volunteerRoles,
} from '#site/stores/admin/settings.ts'
import { capitalized, languageName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { AskingButton } from './Listed.tsx'

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
        'Your own texts and roles, in the language that a visitor chooses. Where you leave one empty, they read the original.',
      )}
      reading={useChangeable(rendered, eventLanguages)}
    >
      {(data) =>
        opened ? (
          <TranslationForm current={data} event={event} roles={offered} language={opened} onClose={close} />
        ) : (
          <div className="stack">
            <FirstLanguage current={data} />
            <ul>
              {languages
                .filter((language) => language !== data.language)
                .map((language) => {
                  const isTranslated = data.translations.some((one) => one.language === language)
                  const name = languageName(language)
                  const [label, about] = isTranslated
                    ? [t('Edit'), t('Edit the event in {language}', { language: name })]
                    : [t('Translate'), t('Translate the event into {language}', { language: name })]
                  return (
                    <li key={language} className="item">
                      <span>{capitalized(name)}</span>
                      <Button
                        variant="quiet"
                        // Returns the focus here once its form has closed.
                        autoFocus={language === left}
                        aria-label={about}
                        onClick={() => setOpened(language)}
                      >
                        {label}
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
  const form = useForm((text) => changeEventLanguage(text('language') as Language))

  return (
    <Form of={form} className="flow">
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
      <Submit variant="secondary">{t('Save')}</Submit>
    </Form>
  )
}

/** Edits the event in one language. */
function TranslationForm({
  current,
  event,
  roles,
  language,
  onClose,
}: {
  current: EventLanguages
  /** The event's own texts; undefined if they could not be read. */
  event: EventContent | undefined
  roles: VolunteerRole[]
  language: Language
  onClose: () => void
}) {
  const stored = current.translations.find((one) => one.language === language)
  const id = useId()
  const languageText = languageName(language)
  const { roles: namesOfRoles = {}, ...texts } = stored ?? {}

  const form = useForm(async (_, _refuse, fields) => {
    if (await saveTranslation(language, fields)) onClose()
  })

  async function remove() {
    if (await removeTranslation(language)) onClose()
  }

  return (
    <Form of={form} className="stack translation" aria-label={t('The event in {language}', { language: languageText })}>
      <h3>{capitalized(languageText)}</h3>
      {[...fieldsOfEvent(event), ...roles.map(fieldOfRole)].map(({ name, first, role, ...field }, position) => (
        <Field
          {...field}
          key={name}
          lang={language}
          dir={directionOf(language)}
          aria-describedby={`${id}-${name}-first`}
          name={name}
          defaultValue={role === undefined ? Reflect.get(texts, name) : namesOfRoles[role]}
          autoComplete="off"
          autoFocus={position === 0}
          above={
            <span id={`${id}-${name}-first`} className="translation__first" lang={current.language} dir="auto">
              {first}
            </span>
          }
        />
      ))}
      <div className="flow">
        <Submit>{t('Save Translation')}</Submit>
        <Button variant="secondary" onClick={onClose}>
          {t('Cancel')}
        </Button>
        {stored && (
          <AskingButton
            variant="quiet"
            title={t('Remove Translation')}
            question={t('Visitors read the event as it was first written.')}
            destructive
            onConfirm={remove}
          >
            {t('Remove Translation')}
          </AskingButton>
        )}
      </div>
    </Form>
  )
}

/** What can be translated, in the order of the event's editor: only where the event itself has a text. */
function fieldsOfEvent(event: EventContent | undefined) {
  return eventFields.flatMap(({ name: shown, label, multiline }) =>
    Object.entries(translatedNames)
      .filter(([, translated]) => translated === shown && event?.[shown])
      .map(([name]) => ({
        name,
        role: undefined,
        label: label(),
        ...(multiline && ({ as: 'textarea', rows: 4 } as const)),
        maxLength: EVENT_TEXT_MAXIMUM,
        first: event?.[shown],
      })),
  )
}

function fieldOfRole({ id, name }: VolunteerRole) {
  const label = t('Role {name}', { name })
  return { name: `role.${id}`, role: id, label, maxLength: ROLE_NAME_MAXIMUM, first: name }
}
