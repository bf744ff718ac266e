import type { OptionalEventTexts } from '#db/values/event-content.ts'
import type { Audience } from '#db/values/prayer.ts'
import { type TextLanguages, TextOrLink } from '#site/islands/EventCard.tsx'
import type { RsvpDraft } from '#site/lib/rsvp-draft.ts'
import { contactParts } from '#site/server/contact-parts.ts'
import { t } from '#site/texts/texts.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Checkbox } from '#site/ui/Field.tsx'

// Fields that the server draws into slots of the form. They need no script: no browser loads this file.

type NewcomersTexts = {
  texts: OptionalEventTexts
  /** The languages of the texts that are not in that of the page. */
  languages?: TextLanguages | undefined
}

/** Below the question and shown by CSS once Yes is chosen. */
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
          // The first one is empty, so that a draft in which it is chosen is the same as one without a choice.
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

/** What the church says to those who come for the first time: below that choice, and in the thank-you. */
export function ForNewcomers({ texts, languages = {} }: NewcomersTexts) {
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
            {text === contact ? contactParts(text).map((part) => <TextOrLink key={part.text} {...part} />) : text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Password managers ignore `autocomplete`; each has an attribute of its own: 1Password, LastPass, Bitwarden, Dashlane. */
const notForManagers = {
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
}

/** Below the message: who may read the prayer request, whether to send a reminder, and what only programs fill in. */
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
        // Until mail is set again, what was chosen stays.
        draft.remind && <input type="hidden" name="remind" value="on" />
      )}
      {/* The honeypot: the browser must neither fill it in nor focus it. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          {t('Leave this empty')}
          <input name="website" tabIndex={-1} autoComplete="off" {...notForManagers} />
        </label>
      </div>
    </>
  )
}

/** For whom a prayer request is, the fewest first. */
export function audienceTexts(): Record<Audience, string> {
  return { pastor: t('Only the pastor'), group: t('Those who pray'), service: t('May be shared in the service') }
}
