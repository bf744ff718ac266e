import { useRef, useState } from 'react'
import { copyText } from '#site/stores/clipboard.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { copy, Icon } from '#site/ui/Icon.tsx'

/** Shows a link that cannot be read again later. */
export function LinkDialog({
  title,
  label,
  link,
  children,
  onClose,
}: {
  title: string
  label: string
  link: string
  /** What to do with it. */
  children: string
  onClose: () => void
}) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState<boolean>()

  return (
    <Modal className="dialog dialog--form" aria-label={title} onDismiss={onClose}>
      <div className="dialog__body">
        <h2 className="dialog__title">{title}</h2>
        <Field
          label={label}
          ref={field}
          readOnly
          value={link}
          dir="ltr"
          hint={children}
          onFocus={(event) => event.currentTarget.select()}
        />
        {/* Here, because the dialog covers notices. */}
        <p role="status">
          {isCopied === true && t('The link is in the clipboard.')}
          {isCopied === false && t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.')}
        </p>
        <div className="flow dialog__actions">
          <Button variant="secondary" onClick={onClose}>
            {t('Done')}
          </Button>
          <Button onClick={async () => setIsCopied(await copyText(link, () => field.current?.focus()))}>
            <Icon shape={copy} />
            {t('Copy Link')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
