import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'

type Action = {
  label: string
  /** For screen readers: what it is about. */
  about: string
  /** Asked before something is removed or replaced. */
  question?: string | undefined
  onPress: () => unknown
}

/** E.g. a person, a passkey or a browser, and what can be done about it. */
export function Listed(listed: {
  name: string
  mark?: string | false
  notes: string[]
  actions: Action[]
  children?: ReactNode
}) {
  return (
    <li className="item listed">
      <div>
        <p>
          <bdi className="item__name">{listed.name}</bdi> <span className="field__hint">{listed.mark}</span>
        </p>
        {listed.notes.map((note) => (
          <p key={note} className="field__hint">
            {note}
          </p>
        ))}
        {listed.children}
      </div>
      <div className="item__actions">
        {listed.actions.map(({ label, about, question, onPress }) => {
          const button = { variant: 'quiet', 'aria-label': about, children: label } as const
          if (question === undefined) return <Button key={label} {...button} onClick={onPress} />
          return (
            <AskingButton key={label} {...button} {...{ title: about, question }} destructive onConfirm={onPress} />
          )
        })}
      </div>
    </li>
  )
}

/** A button that asks before it acts. */
export function AskingButton({
  title,
  question,
  destructive = false,
  onConfirm,
  ...button
}: ComponentProps<typeof Button> & {
  title: string
  question: ReactNode
  destructive?: boolean
  onConfirm: () => unknown
}) {
  const [asks, setAsks] = useState(false)

  function confirm() {
    setAsks(false)
    onConfirm()
  }

  return (
    <>
      <Button {...button} onClick={() => setAsks(true)} />
      {asks && (
        <ConfirmDialog
          title={title}
          confirmLabel={button.children}
          destructive={destructive}
          onConfirm={confirm}
          onCancel={() => setAsks(false)}
        >
          {question}
        </ConfirmDialog>
      )}
    </>
  )
}
