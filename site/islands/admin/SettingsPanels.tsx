import { useId } from 'react'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { publicNames, type Settings } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import { ContradictionNote } from '#site/islands/event-card/ContradictionNote.tsx'
import { eventFields } from '#site/islands/event-card/event-fields.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { eventLanguages } from '#site/stores/admin/event-languages.ts'
import { schedule } from '#site/stores/admin/schedule.ts'
import { changeFeature, changePublicNames, features, settings } from '#site/stores/admin/settings.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

const shownTexts = ['pageTitle', 'date', 'time', 'location', 'contact', 'whatToExpect']

/** What the invitation says now. It is edited where visitors read it. */
export function EventPanel({ admin: { event, schedule: rendered, languages } }: { admin: AdminPage }) {
  const times = useChangeable(rendered, schedule).data
  const written = useChangeable(languages, eventLanguages).data?.language

  return (
    <Panel id="event" title={t('Event')} description={t('What visitors read in the invitation.')}>
      <div className="event-texts">
        {event && (
          <dl className="event-texts__list">
            {eventFields
              .filter(({ name }) => shownTexts.includes(name))
              .map(({ name, label }) => (
                <div key={name} className="event-texts__text">
                  <dt>{label()}</dt>
                  <dd className={event[name] ? undefined : 'event-texts__none'}>
                    {event[name] ? (
                      <span lang={written} dir="auto">
                        {event[name]}
                      </span>
                    ) : (
                      t('Nothing yet')
                    )}
                  </dd>
                </div>
              ))}
          </dl>
        )}
        {event && times && <ContradictionNote event={event} schedule={times} beside="event" />}
        <a className={buttonClass('secondary')} href="/">
          {t('Edit the event')}
        </a>
      </div>
    </Panel>
  )
}

export function FeaturesPanel({ rendered }: { rendered: Features | undefined }) {
  const reading = useChangeable(rendered, features)
  const id = useId()

  return (
    <Panel id="features" title={t('Features Settings')}>
      <Loaded reading={reading} loading={t('Loading settings...')} failed={t('The settings could not be loaded.')}>
        {(data) =>
          featureNames.map((name) => (
            <div key={name} className="switch">
              <div className="switch__text">
                <label className="switch__label" htmlFor={`${id}-${name}`}>
                  {said(featureTexts[name].label)}
                </label>
                <p className="switch__description" id={`${id}-${name}-description`}>
                  {said(featureTexts[name].description)}
                </p>
              </div>
              <input
                className="switch__input"
                id={`${id}-${name}`}
                type="checkbox"
                // biome-ignore lint/a11y/useAriaPropsForRole: HTML forbids aria-checked on a checkbox, whose own state is exposed.
                role="switch"
                name={name}
                checked={data[name]}
                aria-describedby={`${id}-${name}-description`}
                onChange={(event) => changeFeature(data, name, event.currentTarget.checked)}
              />
            </div>
          ))
        }
      </Loaded>
    </Panel>
  )
}

export function PublicNamesPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)

  return (
    <Panel
      id="names"
      title={t('Public List')}
      description={
        admin.open
          ? t('What visitors will see of the responses once a password is set. In open mode they see full names.')
          : t('What visitors see of the responses. Family members are never shown.')
      }
    >
      <Loaded reading={reading} loading={t('Loading settings...')} failed={t('The settings could not be loaded.')}>
        {(data) => (
          <fieldset className="radio-list">
            <legend className="visually-hidden">{t('Show')}</legend>
            {publicNames.map((value) => (
              <label key={value} className="radio-list__option">
                <input
                  className="radio-list__input"
                  type="radio"
                  name="publicNames"
                  value={value}
                  checked={value === data.publicNames}
                  onChange={() => changePublicNames(data, value)}
                />
                <span>
                  <span className="radio-list__label">{said(publicNamesTexts[value].label)}</span>
                  <span className="radio-list__description">{said(publicNamesTexts[value].description)}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
    </Panel>
  )
}

/** Shows how long responses are kept. The command sets it, because it first counts those that are older already. */
export function RetentionPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)

  return (
    <Panel id="keeping" title={t('How Long Responses Are Kept')}>
      <Loaded reading={reading} loading={t('Loading settings...')} failed={t('The settings could not be loaded.')}>
        {({ retentionDays }) => (
          <div className="keeping">
            <p>{keptText(retentionDays)}</p>
            <p>
              {plural(
                admin.restorableDays,
                'A deleted response can be restored for {count} day.',
                'A deleted response can be restored for {count} days.',
              )}
            </p>
            <p>
              {t(
                'This command on the server sets another length of time. It first says how many responses are already older:',
              )}
            </p>
            <code>{admin.rsvpCommand} settings retentionDays=90</code>
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

function keptText(days: Settings['retentionDays']): string {
  if (days === null) return `${t('Until you delete them')}.`
  const removed = t('After that names, contact details and messages are removed, and only the numbers stay.')
  return `${plural(days, 'For one day.', 'For {count} days.')} ${removed}`
}
