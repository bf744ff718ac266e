import { type SubmitEvent, useRef, useState } from 'react'
import { EVENT_TEXT_MAXIMUM, type EventContent, translatedNames } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import { directionOf, type Language } from '#db/language/languages.ts'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/volunteer-role/schema.ts'
import { seededRoles } from '#db/volunteer-role/texts.ts'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import { tellFailedAct } from '#site/stores/admin/changeable.ts'
import {
  firstText,
  isEmpty,
  readTranslation,
  removeTranslation,
  saveTranslation,
  type TranslatedName,
  type TranslationDraft,
  translationDraft,
} from '#site/stores/admin/event-languages.ts'
import { capitalized, languageName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** In the order of the editor of the event itself. */
const fields = eventFields.flatMap(({ name: shown, ...field }) =>
  Object.entries(translatedNames)
    .filter(([, translated]) => translated === shown)
    .map(([name]) => ({ ...field, name: name as TranslatedName })),
)

/** Edits the event in one language. What is typed stays in this tab until it is saved or canceled. */
export function TranslationForm({
  current,
  event,
  roles,
  begun,
  onClose,
}: {
  current: EventLanguages
  /** What the event itself says; null if that could not be read. */
  event: EventContent | null
  roles: VolunteerRole[]
  begun: TranslationDraft
  onClose: () => void
}) {
  const [draft, setDraft] = useState(begun)
  const latest = useRef(draft)
  const [refused, setRefused] = useState(false)
  const [busy, setBusy] = useState(false)
  const { language, texts, known, contested } = draft
  const name = languageName(language)
  /** What someone else has stored meanwhile, where it differs. */
  const theirs = (stored: string | undefined = '', own: string) => (contested && stored !== own ? stored : undefined)

  function change(next: TranslationDraft) {
    latest.current = next
    setDraft(next)
    translationDraft.keep(next)
  }

  async function save(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault()
    const form = submitted.currentTarget
    setRefused(isEmpty(texts))
    if (isEmpty(texts)) return form.querySelector<HTMLElement>('[name]')?.focus()
    await whileBusy(async () => {
      const outcome = await saveTranslation(current, language, texts, known)
      // What was typed while it was sent is not stored yet.
      if (outcome === 'stored' && latest.current === draft) close()
      else if (outcome === 'stored') await readAgain(false)
      else if (outcome === 'changed-meanwhile') await readAgain(true)
    })
  }

  async function remove() {
    await whileBusy(async () => {
      if (await removeTranslation(current, language, known)) close()
    })
  }

  /** The next save replaces what is read here, and nothing that was not. */
  async function readAgain(contested: boolean) {
    try {
      const known = await readTranslation(language)
      change({ ...latest.current, known, contested })
    } catch (error) {
      tellFailedAct(t('Failed to load the translation'), error)
    }
  }

  async function whileBusy(send: () => Promise<void>): Promise<void> {
    if (busy) return
    setBusy(true)
    await send()
    setBusy(false)
  }

  function close() {
    translationDraft.forget()
    onClose()
  }

  return (
    <form className="translation" aria-label={t('The event in {language}', { language: name })} onSubmit={save}>
      <h3 className="translation__title">{capitalized(name)}</h3>
      <div role="alert">
        {contested && (
          <p className="notice">
            {t(
              'Someone else has changed this translation. Nothing is lost: where theirs differs, it is shown below yours. What you save now replaces it.',
            )}
          </p>
        )}
      </div>
      {fields.map(({ name: field, label, multiline }, position) => (
        <TranslatedField
          key={field}
          label={label()}
          name={field}
          multiline={multiline}
          language={language}
          text={texts[field]}
          first={{ language: current.language, text: firstText(event, field) }}
          theirs={theirs(known.texts?.[field], texts[field])}
          error={
            refused && position === 0 && isEmpty(texts) ? t('Give at least one text in this language.') : undefined
          }
          autoFocus={position === 0}
          onChange={(text) => change({ ...draft, texts: { ...texts, [field]: text } })}
        />
      ))}
      {roles.map(({ id, name }) => (
        <TranslatedField
          key={id}
          label={t('Role {name}', { name })}
          name={`role.${id}`}
          maxLength={ROLE_NAME_MAXIMUM}
          language={language}
          text={texts.roles[id] ?? ''}
          first={{ language: seededRoles.includes(name) ? 'en' : current.language, text: name }}
          isKnown={seededRoles.includes(name)}
          theirs={theirs(known.texts?.roles[id], texts.roles[id] ?? '')}
          onChange={(text) => change({ ...draft, texts: { ...texts, roles: { ...texts.roles, [id]: text } } })}
        />
      ))}
      <div className="translation__actions">
        <Button type="submit" variant="primary" aria-disabled={busy || undefined}>
          {t('Save Translation')}
        </Button>
        {/* A late reply would close the translation that is opened next. */}
        <Button variant="secondary" aria-disabled={busy || undefined} onClick={() => busy || close()}>
          {t('Cancel')}
        </Button>
        {known.texts && (
          <Button variant="quiet" aria-disabled={busy || undefined} onClick={remove}>
            {t('Remove Translation')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** One text of the event in another language, below what the event itself says. */
function TranslatedField({
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
