import { useId, useState } from 'react'
import { featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { publicNames, type Settings } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import {
  changeFeature,
  changePublicNames,
  changePublicUrl,
  changeRetention,
  countOldRsvps,
  features,
  settings,
} from '#site/stores/admin/settings.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, LoadedPanel, Panel } from '#site/ui/Panel.tsx'
import { RadioList } from '#site/ui/RadioList.tsx'

/** The event is edited where visitors read it. */
export function EventPanel() {
  return (
    <Panel id="event" title={t('Event')} description={t('What visitors read in the invitation.')}>
      <a className={buttonClass('secondary')} href="/">
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
            onChange={(value) => changePublicNames(data, value)}
          />
        </fieldset>
      )}
    </LoadedPanel>
  )
}

const usualDays = [30, 90, 180, 365, 730]

/** How long responses are kept. Before a change is saved, it says how many are older already. */
export function RetentionPanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel
      id="keeping"
      title={t('How Long Responses Are Kept')}
      description={t('After that names, contact details and messages are removed, and only the numbers stay.')}
      reading={useChangeable(admin.settings, settings)}
    >
      {(data) => (
        <div className="stack">
          <RetentionForm settings={data} />
          <p>
            {plural(
              admin.restorableDays,
              'A deleted response can be restored for {count} day.',
              'A deleted response can be restored for {count} days.',
            )}
          </p>
        </div>
      )}
    </LoadedPanel>
  )
}

/** Saving it, also unchanged, confirms a clock that is in doubt. */
function RetentionForm({ settings }: { settings: Settings }) {
  const { retentionDays: stored } = settings
  const offered = new Set([...usualDays, ...(stored === null ? [] : [stored])])
  const [asked, setAsked] = useState<{ days: number; old: number }>()

  const { form, pending } = useForm(async (text) => {
    if (text('days') === '') return void changeRetention(settings, null)
    const days = Number(text('days'))
    const old = await countOldRsvps(days)
    if (old === 0) changeRetention(settings, days)
    else if (old !== undefined) setAsked({ days, old })
  })

  return (
    <form {...form} className="stack" aria-label={t('How Long Responses Are Kept')}>
      <Field as="select" label={t('Keep responses')} name="days" defaultValue={stored ?? ''}>
        <option value="">{t('Until you delete them')}</option>
        {[...offered].map((days) => (
          <option key={days} value={days}>
            {plural(days, '{count} day', '{count} days')}
          </option>
        ))}
      </Field>
      <Button type="submit" aria-disabled={pending || undefined}>
        {t('Save')}
      </Button>
      {asked && (
        <ConfirmDialog
          title={plural(asked.days, 'Keep responses for {count} day?', 'Keep responses for {count} days?')}
          confirmLabel={t('Save')}
          destructive
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            changeRetention(settings, asked.days)
          }}
        >
          {plural(
            asked.old,
            '{count} response is older already. Within an hour it loses names, contact details and messages for good, and so does any other that is older by then.',
            '{count} responses are older already. Within an hour they lose names, contact details and messages for good, and so does any other that is older by then.',
          )}
        </ConfirmDialog>
      )}
    </form>
  )
}

/** The address people use: given by the settings of the server, or else chosen here. */
export function AddressPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)

  return (
    <Panel id="address" title={t('Public Address')} description={t('Links, invitations and passkeys use it.')}>
      {admin.givenPublicUrl === undefined ? (
        <Loaded reading={reading}>{(data) => <AddressForm stored={data} />}</Loaded>
      ) : (
        <div className="stack">
          <p dir="auto">{admin.givenPublicUrl}</p>
          <p>{t('The settings of the server give it, as PUBLIC_URL. It is changed there.')}</p>
        </div>
      )}
    </Panel>
  )
}

function AddressForm({ stored }: { stored: Settings }) {
  const { form, errors, pending } = useForm((text, refuse) =>
    changePublicUrl(stored, text('publicUrl').trim() || null, refuse),
  )
  return (
    <form {...form} className="stack" aria-label={t('Public Address')}>
      <Field
        label={t('Address')}
        name="publicUrl"
        type="url"
        dir="ltr"
        placeholder="https://rsvp.example.org"
        autoComplete="off"
        defaultValue={stored.publicUrl ?? ''}
        hint={t('It is saved only if it leads to this site. After that, open the site there and sign in once more.')}
        error={errors.publicUrl}
      />
      <Button type="submit" aria-disabled={pending || undefined}>
        {pending ? t('Checking...') : t('Check and Save')}
      </Button>
    </form>
  )
}
