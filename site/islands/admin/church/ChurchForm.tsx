import { type SubmitEvent, useState } from 'react'
import { ALT_TEXT_MAXIMUM, CHURCH_NAME_MAXIMUM, type Church, type ChurchTexts } from '#db/church/schema.ts'
import { differing } from '#site/lib/differing.ts'
import { changeChurch } from '#site/stores/admin/church.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** What the control shows while no accent is chosen: that of the styles. */
const USUAL_ACCENT = '#6a3460'

/** The texts and the color. Nothing is sent before it is saved. */
export function ChurchForm({ church }: { church: Church }) {
  const [typed, setTyped] = useState<Partial<ChurchTexts>>({})
  const draft = { ...church, ...typed }

  async function save(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault()
    const change = changeOf(typed, church)
    if (Object.keys(change).length === 0) addToast({ title: t('Church Saved'), description: t('Nothing was changed.') })
    else if (await changeChurch(church, change)) setTyped((now) => differing(now, typed))
  }

  function text(name: 'name' | 'pictureAlt', maxLength: number) {
    return {
      name,
      maxLength,
      value: draft[name] ?? '',
      autoComplete: 'off',
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setTyped({ ...typed, [name]: currentTarget.value }),
    }
  }

  return (
    <form className="church" aria-label={t('Your Church')} onSubmit={save} noValidate>
      {church.picture && (
        <Field label={t('What the Picture Shows')} optional>
          {(wiring) => <input {...wiring} {...text('pictureAlt', ALT_TEXT_MAXIMUM)} />}
        </Field>
      )}
      <Field label={t('Name')} optional>
        {(wiring) => <input {...wiring} {...text('name', CHURCH_NAME_MAXIMUM)} />}
      </Field>
      <div className="church__accent">
        <Field label={t('Color')}>
          {(wiring) => (
            <input
              {...wiring}
              name="accent"
              type="color"
              value={draft.accent ?? USUAL_ACCENT}
              onChange={({ currentTarget }) => setTyped({ ...typed, accent: currentTarget.value })}
            />
          )}
        </Field>
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
        <Button type="submit" variant="primary">
          {t('Save Church')}
        </Button>
      </div>
    </form>
  )
}

/** What of it differs from what is stored. */
function changeOf(typed: Partial<ChurchTexts>, church: Church): Partial<ChurchTexts> {
  const given = { ...typed }
  for (const name of ['name', 'pictureAlt'] as const) if (name in given) given[name] = given[name]?.trim() || null
  return differing(given, church)
}
