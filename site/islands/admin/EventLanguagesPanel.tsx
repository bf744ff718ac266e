import { useEffect, useRef, useState } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import { type Language, languageNames, languages } from '#db/language/languages.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { eventLanguages, readTranslation } from '#site/stores/admin/event-languages.ts'
import { tellFailedAct } from '#site/stores/admin/failed-act.ts'
import { volunteerRoles } from '#site/stores/admin/volunteer-roles.ts'
import { capitalized, languageName } from '#site/texts/language-name.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { draftOf, restoreDraft, type TranslationDraft } from './languages/draft.ts'
import { FirstLanguage } from './languages/FirstLanguage.tsx'
import { TranslationForm } from './languages/TranslationForm.tsx'

/** The event in the languages of those who are invited. */
export function EventLanguagesPanel({
  rendered,
  event,
  roles,
}: {
  rendered: EventLanguages | null
  /** What the event itself says; null if that could not be read. */
  event: EventContent | null
  roles: OfferedRole[] | null
}) {
  const offered = useChangeable(roles, volunteerRoles).data ?? []
  const { data, error } = useChangeable(rendered, eventLanguages)
  const [draft, setDraft] = useState<TranslationDraft>()
  const list = useRef<HTMLUListElement>(null)
  const left = useRef<Language>(undefined)

  // Resumes an edit that a reload interrupted.
  useEffect(() => setDraft((current) => current ?? restoreDraft()), [])
  useEffect(() => {
    if (draft || left.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[value=${left.current}]`)?.focus()
    left.current = undefined
  }, [draft])

  async function edit(language: Language, isTranslated: boolean) {
    try {
      setDraft(draftOf(language, isTranslated ? await readTranslation(language) : {}))
    } catch (error) {
      tellFailedAct(t('Failed to load the translation'), error)
    }
  }

  function close() {
    left.current = draft?.language
    setDraft(undefined)
  }

  return (
    <Panel
      id="event-languages"
      title={t('Languages of the Event')}
      description={t(
        'Visitors choose the language of the site themselves. Here you give them your own texts and the names of your roles in it too; where you leave one empty, they read it as you first wrote it.',
      )}
    >
      {data && draft && <TranslationForm current={data} event={event} roles={offered} begun={draft} onClose={close} />}
      {data && !draft && (
        <>
          <FirstLanguage current={data} />
          <ul className="translations" ref={list}>
            {languages
              .filter((language) => language !== data.language)
              .map((language) => {
                const isTranslated = data.translations.includes(language)
                const name = languageName(language)
                const ownName = languageNames[language]
                return (
                  <li key={language} className="translations__language">
                    <span>
                      {capitalized(name)}{' '}
                      {ownName !== capitalized(name) && (
                        <span className="translations__own-name" lang={language}>
                          {ownName}
                        </span>
                      )}
                    </span>
                    <span className="translations__state">{isTranslated ? t('Translated') : t('Not translated')}</span>
                    <Button
                      variant="secondary"
                      value={language}
                      aria-label={
                        isTranslated
                          ? t('Edit the event in {language}', { language: name })
                          : t('Translate the event into {language}', { language: name })
                      }
                      onClick={() => edit(language, isTranslated)}
                    >
                      {isTranslated ? t('Edit') : t('Translate')}
                    </Button>
                  </li>
                )
              })}
          </ul>
        </>
      )}
      {!data && error === undefined && <LoadingText>{t('Loading...')}</LoadingText>}
      {!data && error !== undefined && (
        <LoadFailed onRetry={eventLanguages.$resource.reload}>
          {t('The languages of the event could not be loaded.')}
        </LoadFailed>
      )}
    </Panel>
  )
}
