import { useId } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent, translatedNames } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import { directionOf, type Language } from '#db/language/languages.ts'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/volunteer-role/schema.ts'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import { useForm } from '#site/lib/use-form.ts'
import { removeTranslation, saveTranslation } from '#site/stores/admin/event-languages.ts'
import { capitalized, languageName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { AskingButton } from './Listed.tsx'

/** Edits the event in one language. */
export function TranslationForm({
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

  const { form, pending } = useForm(async (_, _refuse, fields) => {
    if (await saveTranslation(language, fields)) onClose()
  })

  async function remove() {
    if (await removeTranslation(language)) onClose()
  }

  return (
    <form {...form} className="stack translation" aria-label={t('The event in {language}', { language: languageText })}>
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
        <Button type="submit" aria-disabled={pending || undefined}>
          {t('Save Translation')}
        </Button>
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
    </form>
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
