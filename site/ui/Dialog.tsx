import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from '#site/texts/texts.ts'
import { Button } from './Button.tsx'

/** Asks for confirmation. Escape, the backdrop and the cancel button all mean "no". */
export function ConfirmDialog({
  open,
  title,
  message,
  confirmLabel,
  destructive = false,
  busy = false,
  onConfirm,
  onCancel,
}: {
  open: boolean
  title: ReactNode
  message: ReactNode
  confirmLabel: ReactNode
  destructive?: boolean
  /** The confirmed action is running: the dialog stays open and ignores further clicks. */
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedBackdrop = useRef(false)

  // A layout effect, because a dialog returns the focus only if it is closed before it leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    element.showModal()
    return () => element.close()
  }, [open])

  function cancel() {
    if (open && !busy) onCancel()
  }

  // A press that began inside the dialog, e.g. to select text, is not a click on the backdrop.
  function cancelFromBackdrop(event: MouseEvent) {
    if (pressedBackdrop.current && event.target === event.currentTarget) cancel()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way to leave a dialog.
    <dialog
      ref={dialog}
      className="dialog"
      role={destructive ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-message`}
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
      // A second Escape closes the dialog without a cancel event that can be prevented. The event comes late: the dialog may
      // have been opened again.
      onClose={({ currentTarget }) => currentTarget.open || cancel()}
      onMouseDown={(event) => {
        pressedBackdrop.current = event.target === event.currentTarget
      }}
      onClick={cancelFromBackdrop}
    >
      {open && (
        <div className="dialog__body">
          <h2 className="dialog__title" id={`${id}-title`}>
            {title}
          </h2>
          <div className="dialog__message" id={`${id}-message`}>
            {message}
          </div>
          <div className="dialog__actions">
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
      )}
    </dialog>
  )
}
