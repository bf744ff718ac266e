import { useId } from 'react'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { publicNames } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { changeFeature, changePublicNames, features, settings } from '#site/stores/admin/settings.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

export function FeaturesPanel({ rendered }: { rendered: Features | undefined }) {
  const reading = useChangeable(rendered, features)
  const id = useId()

  return (
    <Panel title={t('Features Settings')}>
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
export function RetentionPanel({ admin: { settings: stored, restorableDays } }: { admin: AdminPage }) {
  if (stored === undefined) return null
  const { retentionDays } = stored
  const kept =
    retentionDays === null
      ? t('Until you delete them.')
      : `${plural(retentionDays, 'For one day.', 'For {count} days.')} ${t('After that names, contact details and messages are removed, and only the numbers stay.')}`
  const restored = plural(
    restorableDays,
    'A deleted response can be restored for {count} day.',
    'A deleted response can be restored for {count} days.',
  )
  return (
    <Panel title={t('How Long Responses Are Kept')} description={`${kept} ${restored}`}>
      <p>
        {t('It is changed on the server, which first says how many are older already:')}{' '}
        <code>rsvp settings retentionDays=90</code>
      </p>
    </Panel>
  )
}
