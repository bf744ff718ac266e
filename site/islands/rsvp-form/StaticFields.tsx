import type { OptionalEventTexts } from '#db/values/event-content.ts'
import type { Audience } from '#db/values/prayer.ts'
import { type TextLanguages, TextOrLink } from '#site/islands/EventCard.tsx'
import type { TextPart } from '#site/lib/links.ts'
import type { RsvpDraft } from '#site/lib/rsvp-draft.ts'
import { t } from '#site/texts/texts.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Checkbox } from '#site/ui/Field.tsx'

// Fields that the server renders into slots of the form. They need no script, so no browser loads this file.

type NewcomersTexts = {
  texts: OptionalEventTexts
  /** The contact of these texts, split at its links. */
  contactParts: TextPart[]
  /** The languages of texts that are not in the language of the page. */
  languages?: TextLanguages | undefined
}

/** Fields below the question of attendance. CSS shows them once Yes is chosen. */
export function AfterYes({
  draft,
  asksHowOften = false,
  ...newcomers
}: NewcomersTexts & {
  draft: Pick<RsvpDraft, 'standing' | 'firstVisit'>
  asksHowOften?: boolean
}) {
  return (
    <div className="column rsvp-form__yes">
      {asksHowOften && (
        <ChoiceGroup
          legend={t('How often?')}
          name="standing"
          size="chips"
          // The first value is empty, so that a draft with it equals a draft without a choice.
          options={[
            { value: '', label: t('Only this time') },
            { value: 'true', label: t('Every week until we change it') },
          ]}
          initial={draft.standing ? 'true' : ''}
        />
      )}
      <Checkbox name="firstVisit" defaultChecked={draft.firstVisit}>
        {t('It is our first time')}
      </Checkbox>
      <ForNewcomers {...newcomers} />
    </div>
  )
}

/** Texts of the event for first-time visitors, in the form and in the thank-you. */
export function ForNewcomers({ texts, contactParts, languages = {} }: NewcomersTexts) {
  const { whatToExpect, parking, children, contact } = texts
  const forNewcomers = [
    { title: t('What to Expect'), text: whatToExpect, lang: languages.whatToExpect },
    { title: t('Parking'), text: parking, lang: languages.parking },
    { title: t('Children'), text: children, lang: languages.children },
    { title: t('Questions?'), text: contact, lang: languages.contact },
  ].filter(({ text }) => text)
  if (forNewcomers.length === 0) return null
  return (
    <dl className="column notice rsvp-form__newcomers">
      {forNewcomers.map(({ title, text = '', lang }) => (
        <div key={title}>
          <dt>
            <strong>{title}</strong>
          </dt>
          <dd lang={lang}>
            {text === contact ? contactParts.map((part) => <TextOrLink key={part.text} {...part} />) : text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Password managers ignore `autocomplete`. These are the attributes of 1Password, LastPass, Bitwarden and Dashlane. */
const ignoredByPasswordManagers = {
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
}

/** Fields below the message: who may read the prayer request, whether to send a reminder, and the honeypot. */
export function AtEnd({
  draft,
  prayers,
  sendsMail,
}: {
  draft: Pick<RsvpDraft, 'prayerAudience' | 'remind'>
  prayers: boolean
  sendsMail: boolean | undefined
}) {
  return (
    <>
      {prayers && (
        <div className="rsvp-form__audience">
          <ChoiceGroup
            legend={t('Who may read your prayer request?')}
            name="prayerAudience"
            size="chips"
            options={Object.entries(audienceTexts()).map(([value, label]) => ({ value, label }))}
            initial={draft.prayerAudience || 'pastor'}
          />
        </div>
      )}
      {sendsMail ? (
        <Checkbox className="rsvp-form__yes" name="remind" defaultChecked={draft.remind}>
          {t('Remind me the day before')}
        </Checkbox>
      ) : (
        // Keeps the choice until a mail server is set again.
        draft.remind && <input type="hidden" name="remind" value="on" />
      )}
      {/* The honeypot: the browser must neither fill it in nor focus it. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          {t('Leave this empty')}
          <input name="website" tabIndex={-1} autoComplete="off" {...ignoredByPasswordManagers} />
        </label>
      </div>
    </>
  )
}

/** The audiences of a prayer request, the smallest first. */
export function audienceTexts(): Record<Audience, string> {
  return { pastor: t('Only the pastor'), group: t('Those who pray'), service: t('May be shared in the service') }
}
