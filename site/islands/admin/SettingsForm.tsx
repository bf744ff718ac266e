import type { ComponentProps, ReactNode } from 'react'
import type { Settings } from '#db/values/settings.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import type { Refuse } from '#site/stores/admin/attempt.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { settings } from '#site/stores/admin/settings.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Loaded } from '#site/ui/Panel.tsx'
import { Form, Submit, useForm } from './Form.tsx'

type SettingField = {
  name: keyof Settings
  draw: (stored: Settings) => ReactNode
  /** The value of the setting, from the text of its control; empty for a box that is not ticked. */
  read: (typed: string) => boolean | number | string | null
}

type Props = ComponentProps<'form'> & {
  fields: SettingField[]
  /** True shows again what is stored. Not for a select: it would show what was stored when it was first drawn. */
  save: (typed: Partial<Settings>, stored: Settings, refuse: Refuse) => Promise<unknown>
}

/** Shows the settings of these fields, and saves them together. */
export function SettingsForm({ admin, ...form }: Props & { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)
  return <Loaded reading={reading}>{(stored) => <LoadedForm stored={stored} {...form} />}</Loaded>
}

function LoadedForm({ stored, fields, save, children, ...form }: Props & { stored: Settings }) {
  const state = useForm((text, refuse) => {
    const typed = fields.map(({ name, read }) => [name, read(text(name))])
    return save(Object.fromEntries(typed), stored, refuse)
  })
  return (
    <Form of={state} className="stack" {...form}>
      {fields.map(({ draw }) => draw(stored))}
      {children ?? <Submit>{t('Save')}</Submit>}
    </Form>
  )
}

/** The names of the settings with a type of value. */
type NameOf<Value> = { [Name in keyof Settings]: Settings[Name] extends Value ? Name : never }[keyof Settings]

export function checkboxField(name: NameOf<boolean>, label: string): SettingField {
  const draw = (stored: Settings) => (
    <Checkbox key={name} name={name} defaultChecked={stored[name]}>
      {label}
    </Checkbox>
  )
  return { name, draw, read: (typed) => typed !== '' }
}

/** A number of days, or null. @param choices the numbers, and the text for null. */
export function daysField(name: NameOf<number | null>, label: string, choices: (number | string)[]): SettingField {
  function draw(stored: Settings) {
    const current = stored[name]
    const isOffered = current === null || choices.includes(current)
    const afterNumbers = choices.findLastIndex((choice) => typeof choice === 'number') + 1
    const offered = isOffered ? choices : [...choices.slice(0, afterNumbers), current, ...choices.slice(afterNumbers)]
    return (
      <Field key={name} as="select" label={label} name={name} defaultValue={current ?? ''}>
        {offered.map((choice) => (
          <option key={choice} value={typeof choice === 'number' ? choice : ''}>
            {typeof choice === 'number' ? plural(choice, '{count} day', '{count} days') : choice}
          </option>
        ))}
      </Field>
    )
  }
  return { name, draw, read: (typed) => (typed === '' ? null : Number(typed)) }
}

/** A text; null if it is empty. */
export function textField(
  name: NameOf<string | null>,
  label: string,
  input: ComponentProps<'input'> & { hint?: string },
): SettingField {
  const draw = (stored: Settings) => (
    <Field key={name} label={label} {...input} name={name} defaultValue={stored[name] ?? ''} />
  )
  return { name, draw, read: (typed) => typed.trim() || null }
}
