import { useId } from 'react'
import type { Administrator } from '#db/values/access.ts'
import { featureNames } from '#db/values/features.ts'
import { prayerAccess } from '#db/values/prayer.ts'
import { publicNames } from '#db/values/settings.ts'
import { featureTexts, publicNamesTexts } from '#db/values/titles.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { administrators, saveAdministrator } from '#site/stores/admin/administrators.ts'
import { differing, useChangeable } from '#site/stores/admin/changeable.ts'
import { changeFeature, changeSettings, features, settings } from '#site/stores/admin/settings.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, LoadedPanel, Panel } from '#site/ui/Panel.tsx'
import { RadioList } from '#site/ui/RadioList.tsx'
import { Submit } from './Form.tsx'
import { checkboxField, daysField, SettingsForm, textField } from './SettingsForm.tsx'

/** The event is edited where visitors read it. */
export function EventPanel() {
  return (
    <Panel id="event" title={t('Event')}>
      <a className={buttonClass('secondary')} href="/#edit">
        {t('Edit the event')}
      </a>
    </Panel>
  )
}

export function FeaturesPanel({ admin }: { admin: AdminPage }) {
  const id = useId()

  return (
    <LoadedPanel id="features" title={t('Features Settings')} reading={useChangeable(admin.features, features)}>
      {(data) =>
        featureNames.map((name) => (
          <div key={name} className="item">
            <div>
              <label className="item__name" htmlFor={`${id}-${name}`}>
                {t(featureTexts[name].label)}
              </label>
              <p className="field__hint" id={`${id}-${name}-description`}>
                {t(featureTexts[name].description)}
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
    </LoadedPanel>
  )
}

export function PublicNamesPanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel
      id="names"
      title={t('Public List')}
      description={
        admin.open
          ? t('What visitors will see of the responses once this site is guarded. In open mode they see full names.')
          : t('What visitors see of the responses. Family members are never shown.')
      }
      reading={useChangeable(admin.settings, settings)}
    >
      {(data) => (
        <fieldset className="radio-list">
          <legend className="visually-hidden">{t('Show')}</legend>
          <RadioList
            name="publicNames"
            value={data.publicNames}
            options={publicNames.map((value) => ({
              value,
              label: t(publicNamesTexts[value].label),
              description: t(publicNamesTexts[value].description),
            }))}
            onChange={(value) => changeSettings(data, { publicNames: value }, t('The public list has been changed.'))}
          />
        </fieldset>
      )}
    </LoadedPanel>
  )
}

/** The address people use: given by the settings of the server, or else chosen here. */
export function AddressPanel({ admin }: { admin: AdminPage }) {
  const hint = t('It is saved only if it leads to this site. After that, open the site there and sign in once more.')
  const address = { type: 'url', dir: 'ltr', placeholder: 'https://rsvp.example.org', autoComplete: 'off', hint }

  return (
    <Panel id="address" title={t('Public Address')} description={t('Links, invitations and passkeys use it.')}>
      {admin.givenPublicUrl === undefined ? (
        <SettingsForm
          admin={admin}
          aria-label={t('Public Address')}
          fields={[textField('publicUrl', t('Address'), address)]}
          save={(typed, stored, refuse) =>
            changeSettings(stored, typed, t('The public address has been changed.'), refuse)
          }
        >
          <Submit pendingText={t('Checking...')}>{t('Check and Save')}</Submit>
        </SettingsForm>
      ) : (
        <div className="stack">
          <p dir="auto">{admin.givenPublicUrl}</p>
          <p>{t('The settings of the server give it, as PUBLIC_URL. It is changed there.')}</p>
        </div>
      )}
    </Panel>
  )
}

/** Whether the form asks for prayer requests, how long they are kept, and who reads them. */
export function PrayersPanel({ admin }: { admin: AdminPage }) {
  const asks = useChangeable(admin.settings, settings).data?.prayers === true

  return (
    <Panel
      id="prayers"
      title={t('Prayer requests')}
      description={t('They have a page of their own, and are in no list.')}
    >
      <SettingsForm
        admin={admin}
        className="stack needs-script"
        aria-label={t('Prayer requests')}
        fields={[
          checkboxField('prayers', t('Ask for prayer requests in the form')),
          daysField('prayerDays', t('Keep each prayer request'), [7, 30, 90, 365, t('As long as the response')]),
        ]}
        // Only what was changed: how long they are kept needs a proof.
        save={async (typed, stored) => {
          await changeSettings(stored, differing(typed, stored), t('It counts from now on.'))
        }}
      />
      {!admin.open && <Readers asks={asks} />}
    </Panel>
  )
}

/** Who reads prayer requests. Each choice is saved at once. */
function Readers({ asks }: { asks: boolean }) {
  const reading = useChangeable<Administrator[]>(undefined, administrators)
  const labels = {
    none: t('Reads no prayer requests'),
    group: t('Those shared with those who pray'),
    pastor: t('All of them'),
  }
  return (
    <div className="stack part needs-script">
      <h3>{t('Who reads them')}</h3>
      <Loaded reading={reading}>
        {(people) => (
          <>
            {people.map((person) => (
              <Field
                key={person.id}
                as="select"
                label={<bdi>{person.name}</bdi>}
                value={person.prayers}
                onChange={({ currentTarget: { value } }) => {
                  const prayers = prayerAccess.find((access) => access === value) ?? 'none'
                  saveAdministrator(person, { prayers }, addErrorToast)
                }}
              >
                {prayerAccess.map((access) => (
                  <option key={access} value={access}>
                    {labels[access]}
                  </option>
                ))}
              </Field>
            ))}
            {asks && people.every(({ prayers }) => prayers !== 'pastor') && (
              <p className="notice notice--warning" role="status">
                {t('No one reads those for the pastor yet.')}
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
