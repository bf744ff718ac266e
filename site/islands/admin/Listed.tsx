import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { useResource } from '#site/lib/hooks.ts'
import type { Resource } from '#site/stores/resources.ts'
import { Button } from '#site/ui/Button.tsx'
import { useQuestion } from '#site/ui/Dialog.tsx'
import { Loaded } from '#site/ui/Panel.tsx'

type Action = {
  label: string
  /** For screen readers: what it is about. */
  about: string
  /** Asked before something is removed or replaced. */
  question?: string | undefined
  /** The id of what gets the focus once it is done, if the row disappears with that. */
  next?: string
  onPress: () => unknown
}

/** A row of a list, e.g. a person, a passkey or a browser, with what can be done about it. */
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
          <bdi className="item__name">{listed.name}</bdi>
          {listed.mark && <span className="field__hint"> {listed.mark}</span>}
        </p>
        {listed.notes.map((note) => (
          <p key={note} className="field__hint" suppressHydrationWarning>
            {note}
          </p>
        ))}
        {listed.children}
      </div>
      <div className="item__actions">
        {listed.actions.map(({ label, about, question, next, onPress }) => {
          const button = { variant: 'quiet', 'aria-label': about, children: label } as const
          const act = async () => {
            if ((await onPress()) === true && next) document.getElementById(next)?.focus()
          }
          if (question === undefined) return <Button key={label} {...button} onClick={act} />
          return <AskingButton key={label} {...button} title={about} question={question} destructive onConfirm={act} />
        })}
      </div>
    </li>
  )
}

/** A list that is loaded when it is opened, also by a link to it. */
export function OpenedList<Data>(list: {
  id: 'deleted' | 'standing' | 'entries'
  title: string
  description?: ReactNode
  $resource: Resource<Data>
  failed: string
  children: (data: Data) => ReactNode
}) {
  const { id, $resource } = list
  const details = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
  const reading = useResource<Data>(undefined, $resource, opened)

  useEffect(() => {
    function follow() {
      if (!details.current || location.hash !== `#${id}`) return
      details.current.open = true
      details.current.querySelector('summary')?.focus()
    }
    follow()
    // After a reload, the browser may have opened it already.
    setOpened(details.current?.open === true)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [id])

  return (
    <details
      ref={details}
      id={id}
      className={`${id} needs-script`}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true)
      }}
    >
      <summary>{list.title}</summary>
      {list.description && <p className="panel__description">{list.description}</p>}
      {opened && (
        <Loaded reading={reading} failed={list.failed}>
          {list.children}
        </Loaded>
      )}
    </details>
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
  const { ask, dialog } = useQuestion()
  const asked = { title, confirmLabel: button.children, destructive, onConfirm, children: question }

  return (
    <>
      <Button {...button} onClick={() => ask(asked)} />
      {dialog}
    </>
  )
}
