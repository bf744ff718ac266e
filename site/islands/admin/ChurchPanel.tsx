import { type ChangeEvent, type SubmitEvent, useId, useRef, useState } from 'react'
import { ALT_TEXT_MAXIMUM, CHURCH_NAME_MAXIMUM, type Church, type ChurchTexts } from '#db/church/schema.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { differing } from '#site/stores/admin/changeable.ts'
import { changeChurch, changePicture, church, removePicture } from '#site/stores/admin/settings.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field, Optional } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

export function ChurchPanel({ rendered }: { rendered: Church | undefined }) {
  const reading = useChangeable(rendered, church)

  return (
    <Panel
      id="church"
      title={t('Your Church')}
      description={t('What people recognize you by, on every page they see.')}
    >
      <Loaded reading={reading} loading={t('Loading...')} failed={t('What is said of the church could not be loaded.')}>
        {(data) => (
          <>
            <ChurchPicture church={data} />
            <ChurchForm church={data} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

/** A chosen file is sent at once. */
function ChurchPicture({ church }: { church: Church }) {
  const [sending, setSending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { picture, pictureAlt } = church
  const [smallest] = picture?.sizes ?? []

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    if (file === undefined) return
    setSending(true)
    await changePicture(church, file)
    setSending(false)
    // Otherwise choosing the same file again would fire no event.
    if (input.current) input.current.value = ''
  }

  async function remove() {
    // The button disappears with the picture.
    if (await removePicture(church)) input.current?.focus()
  }

  return (
    <div className="church-picture">
      {picture && smallest && (
        <img
          className="church-picture__shown"
          src={pictureAddress(picture.hash, smallest.width)}
          width={smallest.width}
          height={smallest.height}
          alt={pictureAlt ?? t('The picture of your church')}
        />
      )}
      <div className="field">
        <label className="field__label" htmlFor={id}>
          {picture ? t('Another Picture') : t('Picture')}
          <Optional />
        </label>
        <input id={id} ref={input} type="file" accept="image/*" aria-describedby={`${id}-hint`} onChange={send} />
        <p className="church__hint" id={`${id}-hint`} role="status">
          {sending ? t('Sending the picture...') : t('It is sent once you choose it. Wide ones look best.')}
        </p>
      </div>
      {picture && (
        <Button variant="secondary" onClick={remove}>
          {t('Remove Picture')}
        </Button>
      )}
    </div>
  )
}

/** Shown while no accent is chosen: the one in styles/tokens.css. */
const USUAL_ACCENT = '#6a3460'

function ChurchForm({ church }: { church: Church }) {
  const [typed, setTyped] = useState<Partial<ChurchTexts>>({})
  const draft = { ...church, ...typed }

  async function save(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault()
    const given = { ...typed }
    for (const name of ['name', 'pictureAlt'] as const) if (name in given) given[name] = given[name]?.trim() || null
    const change = differing(given, church)
    if (Object.keys(change).length === 0) addToast({ title: t('Church Saved'), description: t('Nothing was changed.') })
    else if (await changeChurch(church, change)) setTyped((now) => differing(now, typed))
  }

  function text(name: 'name' | 'pictureAlt', maxLength: number) {
    return {
      name,
      maxLength,
      value: draft[name] ?? '',
      autoComplete: 'off',
      optional: true,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setTyped({ ...typed, [name]: currentTarget.value }),
    }
  }

  return (
    <form className="church" aria-label={t('Your Church')} onSubmit={save} noValidate>
      {church.picture && <Field label={t('What the Picture Shows')} {...text('pictureAlt', ALT_TEXT_MAXIMUM)} />}
      <Field label={t('Name')} {...text('name', CHURCH_NAME_MAXIMUM)} />
      <div className="church__accent">
        <Field
          label={t('Color')}
          name="accent"
          type="color"
          value={draft.accent ?? USUAL_ACCENT}
          onChange={({ currentTarget }) => setTyped({ ...typed, accent: currentTarget.value })}
        />
        <Button
          variant="secondary"
          aria-disabled={draft.accent === null || undefined}
          onClick={() => setTyped({ ...typed, accent: null })}
        >
          {t('Use the Usual Color')}
        </Button>
      </div>
      <p className="church__hint">
        {draft.accent === null
          ? t('The usual color is in use.')
          : t('Buttons and links take this color, or the nearest one that can be read well.')}
      </p>
      <div>
        <Button type="submit">{t('Save Church')}</Button>
      </div>
    </form>
  )
}
