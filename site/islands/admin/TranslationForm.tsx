import { useId, useRef, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent, translatedNames } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import { directionOf, type Language } from '#db/language/languages.ts'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/volunteer-role/schema.ts'
import { seededRoles } from '#db/volunteer-role/texts.ts'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import { useForm } from '#site/lib/use-form.ts'
import {
  isEmpty,
  readTranslation,
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
  const latest = useRef(draft)
  const { language, texts, known, contested } = draft
  const id = useId()
  const languageText = languageName(language)
  const inLanguage = { lang: language, dir: directionOf(language) }
  const fields = [...fieldsOfEvent(current, event), ...roles.map((role) => fieldOfRole(current, role))]

  function change(next: TranslationDraft) {
    latest.current = next
    setDraft(next)
    translationDraft.keep(next)
  }

  const { form, errors, pending, run } = useForm(async (_, refuse) => {
    if (isEmpty(texts)) return refuse(t('Give at least one text in this language.'), fields[0]?.name ?? 'form')
    const outcome = await saveTranslation(current, language, texts, known)
    // Text typed during the request is not stored yet.
    if (outcome === 'stored' && latest.current === draft) close()
    else if (outcome !== 'failed') await readAgain(outcome === 'changed-meanwhile')
  })

  const remove = () =>
    run(async () => {
      if (await removeTranslation(current, language, known)) close()
    })

  /** The next save replaces exactly the version that is read here. */
  async function readAgain(contested: boolean) {
    const known = await readTranslation(language)
    if (known) change({ ...latest.current, known, contested })
  }

  function close() {
    translationDraft.forget()
    onClose()
  }

  return (
    <form {...form} className="stack translation" aria-label={t('The event in {language}', { language: languageText })}>
      <h3>{capitalized(languageText)}</h3>
      <div role="alert">
        {contested && (
          <p className="notice notice--warning">
            {t(
              'Someone else has changed this translation. Nothing is lost: where theirs differs, it is shown below yours. What you save now replaces it.',
            )}
          </p>
        )}
      </div>
      {fields.map(({ name, label, maxLength, multiline, first, isKnown }, position) => {
        const text = texts[name] ?? ''
        const theirs = known.texts?.[name] ?? ''
        const isMissing = text.trim() === '' && first.text !== '' && !isKnown
        const changeText = (typed: string) => change({ ...draft, texts: { ...texts, [name]: typed } })
        return (
          <Field
            key={name}
            {...(multiline && ({ as: 'textarea', rows: 4 } as const))}
            {...inLanguage}
            label={label}
            error={isEmpty(texts) ? errors[name] : undefined}
            aria-describedby={isMissing ? `${id}-${name}-first ${id}-${name}-note` : `${id}-${name}-first`}
            name={name}
            value={text}
            maxLength={maxLength}
            autoComplete="off"
            autoFocus={position === 0}
            onChange={(event: { currentTarget: { value: string } }) => changeText(event.currentTarget.value)}
            above={
              <span id={`${id}-${name}-first`} className="translation__first">
                {first.text ? (
                  <span lang={first.language} dir="auto">
                    {first.text}
                  </span>
                ) : (
                  <em>{t('Left empty')}</em>
                )}
              </span>
            }
            below={
              <>
                {isMissing && (
                  <span id={`${id}-${name}-note`} className="translation__note">
                    {t('Not translated: visitors read it in {language}.', { language: languageName(first.language) })}
                  </span>
                )}
                {/* The text that another administrator stored meanwhile, if it differs. */}
                {contested && theirs !== text && (
                  <span className="notice stack translation__theirs">
                    <span className="translation__note">{t('Theirs')}</span>
                    <span {...inLanguage}>{theirs || <em>{t('Left empty')}</em>}</span>
                    <Button variant="secondary" onClick={() => changeText(theirs)}>
                      {t('Use Theirs')}
                    </Button>
                  </span>
                )}
              </>
            }
          />
        )
      })}
      <div className="flow">
        <Button type="submit" aria-disabled={pending || undefined}>
          {t('Save Translation')}
        </Button>
        {/* A late reply would close the translation that is opened next. */}
        <Button variant="secondary" aria-disabled={pending || undefined} onClick={() => pending || close()}>
          {t('Cancel')}
        </Button>
        {known.texts && (
          <Button variant="quiet" aria-disabled={pending || undefined} onClick={remove}>
            {t('Remove Translation')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** A text of the event, or the name of a role. */
type TranslatedText = {
  name: string
  label: string
  maxLength: number
  multiline?: boolean | undefined
  /** The event's own text. */
  first: { language: Language; text: string }
  /** Whether the site has a translation of its own, used if this is empty. */
  isKnown?: boolean
}

/** In the order of the event's editor. */
function fieldsOfEvent({ language }: EventLanguages, event: EventContent | undefined): TranslatedText[] {
  return eventFields.flatMap(({ name: shown, label, multiline }) =>
    Object.entries(translatedNames)
      .filter(([, translated]) => translated === shown)
      .map(([name]) => ({
        name,
        label: label(),
        multiline,
        maxLength: EVENT_TEXT_MAXIMUM,
        first: { language, text: event?.[shown] ?? '' },
      })),
  )
}

function fieldOfRole({ language }: EventLanguages, { id, name }: VolunteerRole): TranslatedText {
  const isKnown = seededRoles.includes(name)
  return {
    name: roleField(id),
    label: t('Role {name}', { name }),
    maxLength: ROLE_NAME_MAXIMUM,
    first: { language: isKnown ? 'en' : language, text: name },
    isKnown,
  }
}
