import { useEffect, useRef, useState } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { Conflict } from '#site/stores/admin/event-conflict.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { eventFields } from './fields.ts'

type Side = 'mine' | 'theirs'

/** Shows two versions of the event: the editor chooses one for each text, or one for all. */
export function EventConflict({
  mine,
  known,
  conflict: { theirs, inOtherTab, resolve },
  onPostpone,
  onResolve,
}: {
  mine: EventContent
  /** The version on which both are based, if it is known. */
  known: EventContent | undefined
  conflict: Conflict
  onPostpone: () => void
  onResolve: () => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  const different = eventFields.filter(({ name }) => textOf(mine, name) !== textOf(theirs, name))
  const [picked, setPicked] = useState(new Map<keyof EventContent, Side>())
  // By default, a text that only the other editor changed is theirs, and one that was changed here is mine.
  const sideOf = (name: keyof EventContent) =>
    picked.get(name) ?? (known && textOf(mine, name) === textOf(known, name) ? 'theirs' : 'mine')
  const pickAll = (side: Side) => setPicked(new Map(different.map(({ name }) => [name, side])))
  const whose = inOtherTab ? { mine: t('Newer'), theirs: t('Older') } : { mine: t('Mine'), theirs: t('Theirs') }
  const allOf = inOtherTab
    ? { mine: t('All Newer'), theirs: t('All Older') }
    : { mine: t('All of Mine'), theirs: t('All of Theirs') }
  useEffect(() => title.current?.focus(), [])

  function saveChosen() {
    const chosen = { ...theirs }
    for (const { name } of different) if (sideOf(name) === 'mine') chosen[name] = textOf(mine, name)
    onResolve()
    resolve(chosen)
  }

  return (
    <form
      className="invitation invitation--editing conflict"
      aria-labelledby="conflict-title"
      onSubmit={(event) => {
        event.preventDefault()
        saveChosen()
      }}
    >
      <h1 id="conflict-title" className="conflict__title" ref={title} tabIndex={-1}>
        {t('The event was changed twice')}
      </h1>
      <p>
        {inOtherTab
          ? t(
              'You have changed the event in another tab as well. Nothing is lost: both versions are saved on this device.',
            )
          : t(
              'Someone else has changed the event while you were editing it. Nothing is lost: your version is saved on this device.',
            )}{' '}
        {t('Choose what visitors will see.')}
      </p>
      <div className="invitation__actions conflict__all">
        <Button variant="secondary" onClick={() => pickAll('mine')}>
          {allOf.mine}
        </Button>
        <Button variant="secondary" onClick={() => pickAll('theirs')}>
          {allOf.theirs}
        </Button>
      </div>
      {different.map(({ name, label }) => (
        <fieldset key={name} className="conflict__field">
          <legend className="field__label">{label()}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side} className="conflict__side">
              <input
                className="conflict__input"
                type="radio"
                name={name}
                value={side}
                checked={sideOf(name) === side}
                onChange={() => setPicked(new Map(picked).set(name, side))}
              />
              <span>
                <span className="conflict__whose">{whose[side]}</span>
                <span className="conflict__text">
                  {textOf(side === 'mine' ? mine : theirs, name) || <em>{t('Left empty')}</em>}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={onPostpone}>
          {t('Decide Later')}
        </Button>
        <Button type="submit" variant="primary">
          {t('Save Chosen')}
        </Button>
      </div>
    </form>
  )
}

/** An optional text that is left out is an empty one. */
function textOf(content: EventContent, name: keyof EventContent): string {
  return content[name] ?? ''
}
