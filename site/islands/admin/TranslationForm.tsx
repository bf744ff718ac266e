import { useId, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent, translatedNames } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import { directionOf } from '#db/language/languages.ts'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/volunteer-role/schema.ts'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import { useForm } from '#site/lib/use-form.ts'
import {
  beginTranslation,
  isEmpty,
  removeTranslation,
  roleField,
  saveTranslation,
  type TranslationDraft,
  translationDraft,
} from '#site/stores/admin/event-languages.ts'
import { capitalized, languageName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** Edits the event in one language. Unsaved input stays in this tab until it is saved or canceled. */
export function TranslationForm({
  current,
  event,
  roles,
  begun,
  onClose,
}: {
  current: EventLanguages
  /** The event's own texts; undefined if they could not be read. */
  event: EventContent | undefined
  roles: VolunteerRole[]
  begun: TranslationDraft
  onClose: () => void
}) {
  const [draft, setDraft] = useState(begun)
  const { language, texts } = draft
  const id = useId()
  const languageText = languageName(language)
  const stored = current.translations.find((one) => one.language === language)

  function change(next: TranslationDraft) {
    setDraft(next)
    translationDraft.keep(next)
  }

  const { form, errors, pending, run } = useForm(async (_, refuse) => {
    if (isEmpty(texts)) return refuse(t('Give at least one text in this language.'), 'title')
    if (await saveTranslation(draft)) close()
  })

  const remove = () =>
    run(async () => {
      if (await removeTranslation(beginTranslation(language, stored))) close()
    })

  function close() {
    translationDraft.forget()
    onClose()
  }

  return (
    <form {...form} className="stack translation" aria-label={t('The event in {language}', { language: languageText })}>
      <h3>{capitalized(languageText)}</h3>
      {[...fieldsOfEvent(event), ...roles.map(fieldOfRole)].map(({ name, first, ...field }, position) => (
        <Field
          {...field}
          key={name}
          lang={language}
          dir={directionOf(language)}
          error={isEmpty(texts) ? errors[name] : undefined}
          aria-describedby={`${id}-${name}-first`}
          name={name}
          value={texts[name] ?? ''}
          autoComplete="off"
          autoFocus={position === 0}
          onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
            change({ ...draft, texts: { ...texts, [name]: currentTarget.value } })
          }
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
        <Button variant="secondary" onClick={close}>
          {t('Cancel')}
        </Button>
        {stored && (
          <Button variant="quiet" aria-disabled={pending || undefined} onClick={remove}>
            {t('Remove Translation')}
          </Button>
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
        label: label(),
        ...(multiline && ({ as: 'textarea', rows: 4 } as const)),
        maxLength: EVENT_TEXT_MAXIMUM,
        first: event?.[shown],
      })),
  )
}

function fieldOfRole({ id, name }: VolunteerRole) {
  return { name: roleField(id), label: t('Role {name}', { name }), maxLength: ROLE_NAME_MAXIMUM, first: name }
}
