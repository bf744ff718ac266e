import { type ChangeEvent, type MouseEvent, useId, useRef, useState } from 'react'
import {
  ALT_TEXT_MAXIMUM,
  CHURCH_NAME_MAXIMUM,
  type Church,
  type ChurchPicture,
  type ChurchTexts,
} from '#db/church/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { useForm } from '#site/lib/use-form.ts'
import { differing } from '#site/stores/admin/changeable.ts'
import { changeChurch, changePicture, church, removePicture } from '#site/stores/admin/settings.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field, Optional } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'

export function ChurchPanel({ admin }: { admin: AdminPage }) {
  return (
    <LoadedPanel
      id="church"
      title={t('Your Church')}
      description={t('What people recognize you by, on every page they see.')}
      reading={useChangeable(admin.church, church)}
    >
      {(data) => <ChurchForm church={data} />}
    </LoadedPanel>
  )
}

/** Shown while no accent is chosen: the one in styles/tokens.css. */
const USUAL_ACCENT = '#6a3460'

function ChurchForm({ church }: { church: Church }) {
  const [typed, setTyped] = useState<Partial<ChurchTexts>>({})
  const draft = { ...church, ...typed }

  const { form, pending } = useForm(async () => {
    const given = { ...typed }
    for (const name of ['name', 'pictureAlt'] as const) if (name in given) given[name] = given[name]?.trim() || null
    const change = differing(given, church)
    if (Object.keys(change).length === 0) addToast({ title: t('Church Saved'), description: t('Nothing was changed.') })
    else if (await changeChurch(church, change)) setTyped((now) => differing(now, typed))
  })

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
    <form {...form} className="stack" aria-label={t('Your Church')}>
      <Field label={t('Name')} {...text('name', CHURCH_NAME_MAXIMUM)} />
      <div className="flow church__accent">
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
        <p className="field__hint">
          {draft.accent === null
            ? t('The usual color is in use.')
            : t('Buttons and links take this color, or the nearest one that can be read well.')}
        </p>
      </div>
      <PictureFile church={church} onChanged={() => setTyped(({ pictureFocus: _, ...kept }) => kept)} />
      {church.picture && (
        <>
          <PictureFocus
            picture={church.picture}
            alt={church.pictureAlt}
            focus={draft.pictureFocus}
            onChange={(pictureFocus) => setTyped((now) => ({ ...now, pictureFocus }))}
          />
          <Field label={t('What the Picture Shows')} {...text('pictureAlt', ALT_TEXT_MAXIMUM)} />
        </>
      )}
      <Button type="submit" aria-disabled={pending || undefined}>
        {t('Save Church')}
      </Button>
    </form>
  )
}

/** A chosen file is sent at once. */
function PictureFile({ church, onChanged }: { church: Church; onChanged: () => void }) {
  const [sending, setSending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { picture } = church

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    if (file === undefined) return
    setSending(true)
    if (await changePicture(church, file)) onChanged()
    setSending(false)
    // Otherwise choosing the same file again would fire no event.
    if (input.current) input.current.value = ''
  }

  async function remove() {
    if (!(await removePicture(church))) return
    onChanged()
    // The button disappears with the picture.
    input.current?.focus()
  }

  return (
    <div className="church__file">
      <div className="field">
        <label className="field__label" htmlFor={id}>
          {picture ? t('Another Picture') : t('Picture')}
          {!picture && <Optional />}
        </label>
        <input id={id} ref={input} type="file" accept="image/*" aria-describedby={`${id}-hint`} onChange={send} />
        <p className="field__hint" id={`${id}-hint`} role="status">
          {sending ? t('Sending the picture...') : t('It is saved as soon as you choose it. Wide pictures look best.')}
        </p>
      </div>
      {picture && (
        <Button variant="quiet" onClick={remove}>
          {t('Remove Picture')}
        </Button>
      )}
    </div>
  )
}

/** Of the picture on the invitation, which is a little higher on the narrowest screens. */
const SHAPE = 16 / 9

/** The whole picture, bright about where visitors see it: pressing it, or two sliders, move the point that is never cut off. */
function PictureFocus({
  picture: { hash, sizes },
  alt,
  focus,
  onChange,
}: {
  picture: ChurchPicture
  alt: string | null
  focus: string | null
  onChange: (focus: string) => void
}) {
  const [{ width, height } = { width: 1, height: 1 }] = sizes
  const [x = 50, y = 50] = focus?.split(',').map(Number) ?? []
  const seen = { width: Math.min(width, height * SHAPE), height: Math.min(height, width / SHAPE) }
  // As `object-position` places it.
  const [left, top] = [((width - seen.width) * x) / 100, ((height - seen.height) * y) / 100]

  function press({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) {
    const box = currentTarget.getBoundingClientRect()
    onChange(`${percent((clientX - box.x) / box.width)},${percent((clientY - box.y) / box.height)}`)
  }

  const slider = (label: string, value: number, change: (value: string) => void) => (
    <Field
      label={label}
      type="range"
      min="0"
      max="100"
      value={value}
      aria-valuetext={`${value} %`}
      dir="ltr"
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )

  return (
    <div className="stack focus-point">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The sliders below do the same for keyboards. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: The sliders below do the same for keyboards. */}
      <div className="focus-point__picture" onClick={press}>
        <img
          src={pictureAddress(hash, width)}
          width={width}
          height={height}
          alt={alt ?? t('The picture of your church')}
        />
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <path
            className="focus-point__cut"
            d={`M0 0h${width}v${height}H0zM${left} ${top}v${seen.height}h${seen.width}v${-seen.height}z`}
          />
          <circle cx={(width * x) / 100} cy={(height * y) / 100} r={Math.max(width, height) / 30} />
        </svg>
      </div>
      <p className="field__hint">
        {t('Visitors see roughly the bright part. Press the spot in the picture that must never be cut off.')}
      </p>
      <div className="columns">
        {slider(t('From the left'), x, (changed) => onChange(`${changed},${y}`))}
        {slider(t('From the top'), y, (changed) => onChange(`${x},${changed}`))}
      </div>
    </div>
  )
}

function percent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 100)
}
