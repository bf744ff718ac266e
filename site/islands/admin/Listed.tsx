import { Button } from '#site/ui/Button.tsx'

type Action = { label: string /** For screen readers: what it is about. */; about: string; onPress: () => void }

/** A person, a passkey or a browser, and what can be done about it. */
export function Listed({
  name,
  mark,
  notes,
  actions,
}: {
  name: string
  mark?: string | false
  notes: string[]
  actions: Action[]
}) {
  return (
    <li className="people__person">
      <div className="people__who">
        <p className="people__name">
          <bdi>{name}</bdi> {mark && <span className="people__note">{mark}</span>}
        </p>
        {notes.map((note) => (
          <p key={note} className="people__note">
            {note}
          </p>
        ))}
      </div>
      <div className="people__actions">
        {actions.map(({ label, about, onPress }) => (
          <Button key={label} variant="quiet" aria-label={about} onClick={onPress}>
            {label}
          </Button>
        ))}
      </div>
    </li>
  )
}
