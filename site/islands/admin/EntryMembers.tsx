import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/rsvp/maximum.ts'
import { focusOnce } from '#site/lib/hooks.ts'
import type { MemberLine } from '#site/stores/admin/entry.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field, Optional } from '#site/ui/Field.tsx'
import { Icon, plus, trash } from '#site/ui/Icon.tsx'

const emptyLine = (line: number): MemberLine => ({ line, name: '', age: '', attending: true })

/**
 * The family, a line for each: Enter leads to the next one, and saves in an empty one. In the age group the first
 * letter of a choice selects it.
 */
export function EntryMembers({
  members,
  withAttendance,
  errorOf,
}: {
  members: Omit<MemberLine, 'line'>[]
  /** Whether each line says if this person comes: who is entered anew does. */
  withAttendance: boolean
  errorOf: (path: string) => string | undefined
}) {
  const [lines, setLines] = useState(() => [
    ...members.map((member, line) => ({ ...member, line })),
    emptyLine(members.length),
  ])
  // The line that was added last takes the focus, but not the one that is there when the form opens.
  const [focused, setFocused] = useState<number>()
  const error = errorOf('familyMembers')

  function addLine() {
    const line = Math.max(-1, ...lines.map((known) => known.line)) + 1
    // At once: what is typed next belongs into the new line.
    flushSync(() => {
      setLines([...lines, emptyLine(line)])
      setFocused(line)
    })
  }

  function goOn(event: KeyboardEvent<HTMLElement>, position: number) {
    // Enter while composing confirms a character of the input method.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    const line = event.currentTarget.closest('.entry-member')
    const name = line?.querySelector<HTMLInputElement>('.field input')
    const isEmpty = name?.value.trim() === ''
    if (isEmpty && event.currentTarget instanceof HTMLInputElement) return
    event.preventDefault()
    const next = line?.nextElementSibling?.querySelector<HTMLInputElement>('.field input')
    if (isEmpty) name.focus()
    else if (next) next.focus()
    else if (position === lines.length - 1 && lines.length < FAMILY_MEMBERS_MAXIMUM) addLine()
  }

  return (
    <fieldset className="entry__members">
      <legend className="field__label">
        {t('Family Members')}
        <Optional />
      </legend>
      {lines.map(({ line, name, age, attending }, position) => (
        <div className="entry-member" key={line}>
          <input type="hidden" name="line" value={line} />
          <Field
            label={t('Family member {number}', { number: position + 1 })}
            labelHidden
            error={errorOf(`member.${line}.name`)}
          >
            {(wiring) => (
              <input
                {...wiring}
                name={`member.${line}.name`}
                defaultValue={name}
                placeholder={t('Name')}
                autoComplete="off"
                autoCapitalize="words"
                enterKeyHint="next"
                ref={line === focused ? focusOnce : undefined}
                onKeyDown={(event) => goOn(event, position)}
              />
            )}
          </Field>
          <Field
            label={t('Age group of family member {number}', { number: position + 1 })}
            labelHidden
            error={errorOf(`member.${line}.age`)}
          >
            {(wiring) => (
              <select
                {...wiring}
                name={`member.${line}.age`}
                defaultValue={age}
                onKeyDown={(event) => goOn(event, position)}
              >
                <option value="">{t('Not said')}</option>
                <option value="adult">{t('Adult')}</option>
                <option value="teen">{t('Teen')}</option>
                <option value="child">{t('Child')}</option>
              </select>
            )}
          </Field>
          {withAttendance ? (
            <Checkbox name={`member.${line}.attending`} defaultChecked={attending}>
              {t('Comes')}
            </Checkbox>
          ) : (
            <input type="hidden" name={`member.${line}.attending`} value="on" />
          )}
          <Button
            variant="quiet"
            aria-label={t('Remove family member {number}', { number: position + 1 })}
            onClick={() => setLines(lines.filter((known) => known.line !== line))}
          >
            <Icon shape={trash} />
          </Button>
        </div>
      ))}
      {error && <p className="field__error">{error}</p>}
      {lines.length < FAMILY_MEMBERS_MAXIMUM && (
        <Button variant="quiet" className="entry__more" onClick={addLine}>
          <Icon shape={plus} />
          {t('Another line')}
        </Button>
      )}
    </fieldset>
  )
}
