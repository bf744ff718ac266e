import { type ComponentProps, useState } from 'react'
import { t } from '#site/texts/texts.ts'
import { Field } from '#site/ui/Field.tsx'

/** The field for the name of one person, with a hint if several seem to be typed. */
export function NameField({
  isMember = false,
  canAdd = true,
  onInput,
  ...field
}: ComponentProps<'input'> &
  Pick<ComponentProps<typeof Field>, 'label' | 'labelHidden' | 'error'> & { isMember?: boolean; canAdd?: boolean }) {
  const [asks, setAsks] = useState(false)

  /** Loads the rule only now: most names need none. */
  function check(name: string) {
    import('#db/values/people.ts').then(
      ({ isSeveral }) => setAsks(isSeveral(name, isMember)),
      () => {},
    )
  }

  return (
    <Field
      {...field}
      onInput={(event) => {
        onInput?.(event)
        check(event.currentTarget.value)
      }}
      hint={asks && canAdd && t('Two people? Add the second as a family member.')}
    />
  )
}
