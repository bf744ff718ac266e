import { useEffect, useRef, useState } from 'react'
import type { EventContent } from '#db/event/content.ts'
import { Button } from '#site/ui/Button.tsx'
import { eventFields } from './fields.ts'

type Side = 'mine' | 'theirs'

/** Two versions of the event side by side: the editor chooses one of each text, or all of one. */
export function EventConflict({
  mine,
  theirs,
  known,
  onPostpone,
  onSettle,
}: {
  mine: EventContent
  theirs: EventContent
  /** What both began with, where that is known. */
  known: EventContent | undefined
  onPostpone: () => void
  onSettle: (chosen: EventContent) => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  const different = eventFields.filter(({ name }) => mine[name] !== theirs[name])
  const sides = (sideOf: (name: keyof EventContent) => Side) =>
    new Map(different.map(({ name }) => [name, sideOf(name)] as const))
  // What only the other one has touched is theirs; whatever was changed here is kept unless the editor says otherwise.
  const [chosen, setChosen] = useState(() => sides((name) => (known && mine[name] === known[name] ? 'theirs' : 'mine')))
  useEffect(() => title.current?.focus(), [])

  function settle() {
    const merged = { ...theirs }
    for (const [name, side] of chosen) merged[name] = side === 'mine' ? mine[name] : theirs[name]
    onSettle(merged)
  }

  return (
    <form
      className="invitation invitation--editing conflict"
      aria-labelledby="conflict-title"
      onSubmit={(event) => {
        event.preventDefault()
        settle()
      }}
    >
      <h1 id="conflict-title" className="conflict__title" ref={title} tabIndex={-1}>
        The event was changed twice
      </h1>
      <p>
        Somebody else has changed the event while you were editing it. Nothing of yours is lost: it is saved on this
        device. Choose what everybody will see.
      </p>
      <div className="invitation__actions conflict__all">
        <Button variant="secondary" onClick={() => setChosen(sides(() => 'mine'))}>
          All of Mine
        </Button>
        <Button variant="secondary" onClick={() => setChosen(sides(() => 'theirs'))}>
          All of Theirs
        </Button>
      </div>
      {different.map(({ name, label }) => (
        <fieldset key={name} className="conflict__field">
          <legend className="field__label">{label}</legend>
          {(
            [
              ['mine', 'Mine', mine[name]],
              ['theirs', 'Theirs', theirs[name]],
            ] as const
          ).map(([side, whose, text]) => (
            <label key={side} className="conflict__side">
              <input
                className="conflict__input"
                type="radio"
                name={name}
                value={side}
                checked={chosen.get(name) === side}
                onChange={() => setChosen(new Map(chosen).set(name, side))}
              />
              <span>
                <span className="conflict__whose">{whose}</span>
                <span className="conflict__text">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="invitation__actions">
        <Button variant="secondary" onClick={onPostpone}>
          Decide Later
        </Button>
        <Button type="submit" variant="primary">
          Save Chosen
        </Button>
      </div>
    </form>
  )
}
