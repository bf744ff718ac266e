import { type ChangeEvent, useRef, useState } from 'react'
import { type Accent, ALT_TEXT_MAXIMUM, accents, CHURCH_NAME_MAXIMUM, type Church } from '#db/values/church.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { changeChurch, changePicture, church, removePicture } from '#site/stores/admin/settings.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { Form, Submit, useForm } from './Form.tsx'

export function ChurchPanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel id="church" title={t('Your Church')} reading={useChangeable(admin.church, church)}>
      {(data) => <ChurchForm church={data} />}
    </LoadedPanel>
  )
}

const accentNames: Record<Accent, () => string> = {
  plum: () => t('Plum'),
  rose: () => t('Rose'),
  bronze: () => t('Bronze'),
  olive: () => t('Olive'),
  teal: () => t('Teal'),
  blue: () => t('Blue'),
  indigo: () => t('Indigo'),
  slate: () => t('Slate'),
}

function ChurchForm({ church }: { church: Church }) {
  const smallest = church.picture?.sizes[0]
  const form = useForm(async (text) => {
    await changeChurch({
      name: text('name').trim() || null,
      accent: accents.find((accent) => accent === text('accent')) ?? church.accent,
      ...(church.picture && { pictureAlt: text('pictureAlt').trim() || null }),
    })
  })

  return (
    <Form of={form} className="stack" aria-label={t('Your Church')}>
      <Field
        label={t('Name')}
        name="name"
        defaultValue={church.name ?? ''}
        maxLength={CHURCH_NAME_MAXIMUM}
        autoComplete="off"
        optional
      />
      <fieldset>
        <legend className="field__label">{t('Color')}</legend>
        <div className="flow">
          {accents.map((accent) => (
            <label key={accent} className="swatch" data-accent={accent}>
              <input type="radio" name="accent" value={accent} defaultChecked={accent === church.accent} />
              {accentNames[accent]()}
            </label>
          ))}
        </div>
      </fieldset>
      <PictureFile church={church} />
      {church.picture && smallest && (
        <>
          <img
            className="church__picture"
            src={pictureAddress(church.picture.hash, smallest.width)}
            {...smallest}
            alt={church.pictureAlt ?? t('The picture of your church')}
          />
          <Field
            label={t('What the Picture Shows')}
            name="pictureAlt"
            defaultValue={church.pictureAlt ?? ''}
            maxLength={ALT_TEXT_MAXIMUM}
            autoComplete="off"
            optional
          />
        </>
      )}
      <Submit>{t('Save Church')}</Submit>
    </Form>
  )
}

/** A chosen file is sent at once. */
function PictureFile({ church }: { church: Church }) {
  const [sending, setSending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { picture } = church

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    if (file === undefined) return
    setSending(true)
    await changePicture(file)
    setSending(false)
    // Otherwise choosing the same file again would fire no event.
    if (input.current) input.current.value = ''
  }

  async function remove() {
    // The button disappears with the picture.
    if (await removePicture()) input.current?.focus()
  }

  return (
    <div className="church__file">
      <Field
        ref={input}
        label={picture ? t('Another Picture') : t('Picture')}
        optional={!picture}
        type="file"
        accept="image/*"
        hint={t('It is saved as soon as you choose it. Wide pictures look best.')}
        below={<p role="status">{sending && t('Sending the picture...')}</p>}
        onChange={send}
      />
      {picture && (
        <Button variant="quiet" onClick={remove}>
          {t('Remove Picture')}
        </Button>
      )}
    </div>
  )
}
