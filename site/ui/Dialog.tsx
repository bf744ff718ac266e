import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#site/texts/texts.ts'
import { Button } from './Button.tsx'

/** A confirmation, open as long as it is rendered. Escape and the cancel button mean "no". */
export function ConfirmDialog({
  title,
  confirmLabel,
  destructive = false,
  busy = false,
  onConfirm,
  onCancel,
  children,
}: {
  title: ReactNode
  confirmLabel: ReactNode
  destructive?: boolean
  /** While the confirmed action is running, the dialog stays open and ignores clicks. */
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}) {
  const id = useId()

  function cancel() {
    if (!busy) onCancel()
  }

  return (
    <Modal
      role={destructive ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-message`}
      onDismiss={cancel}
    >
      <div className="dialog__body">
        <h2 className="dialog__title" id={`${id}-title`}>
          {title}
        </h2>
        <div className="dialog__message" id={`${id}-message`}>
          {children}
        </div>
        <div className="flow dialog__actions">
          <Button variant="secondary" aria-disabled={busy || undefined} onClick={cancel}>
            {t('Cancel')}
          </Button>
          <Button
            variant={destructive ? 'danger' : 'primary'}
            aria-disabled={busy || undefined}
            onClick={() => busy || onConfirm()}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** Asks before something is done, by a dialog that the component draws. */
export function useQuestion() {
  const [asked, ask] = useState<Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'onCancel'>>()

  function confirm() {
    ask(undefined)
    asked?.onConfirm()
  }

  return { ask, dialog: asked && <ConfirmDialog {...asked} onConfirm={confirm} onCancel={() => ask(undefined)} /> }
}

export function Modal({ onDismiss, ...rest }: ComponentProps<'dialog'> & { onDismiss: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)

  // A layout effect, because a dialog returns the focus only if it is closed before it is removed.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog
      className="dialog"
      {...rest}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault()
        onDismiss()
      }}
      // A second Escape closes the dialog without a cancel event that can be prevented.
      onClose={onDismiss}
    />
  )
}
