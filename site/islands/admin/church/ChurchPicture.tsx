import { type ChangeEvent, useId, useRef, useState } from 'react'
import type { Church } from '#db/church/schema.ts'
import { pictureAddress } from '#site/lib/picture-address.ts'
import { changePicture, removePicture } from '#site/stores/admin/church.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'

/** The picture of the church. A chosen file is sent at once. */
export function ChurchPicture({ church }: { church: Church }) {
  const [sending, setSending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { picture, pictureAlt } = church
  const [smallest] = picture?.sizes ?? []

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    if (file === undefined) return
    setSending(true)
    await changePicture(church, file)
    setSending(false)
    // The same file again is another choice.
    if (input.current) input.current.value = ''
  }

  async function remove() {
    // Its button will be gone.
    if (await removePicture(church)) input.current?.focus()
  }

  return (
    <div className="church-picture">
      {picture && smallest && (
        <img
          className="church-picture__shown"
          src={pictureAddress(picture.hash, smallest.width)}
          width={smallest.width}
          height={smallest.height}
          alt={pictureAlt ?? t('The picture of your church')}
        />
      )}
      <div className="field">
        <label className="field__label" htmlFor={id}>
          {picture ? t('Another Picture') : t('Picture')}
          <span className="field__optional"> {t('(optional)')}</span>
        </label>
        <input id={id} ref={input} type="file" accept="image/*" aria-describedby={`${id}-hint`} onChange={send} />
        <p className="church__hint" id={`${id}-hint`} role="status">
          {sending ? t('Sending the picture...') : t('It is sent once you choose it. Wide ones look best.')}
        </p>
      </div>
      {picture && (
        <Button variant="secondary" onClick={remove}>
          {t('Remove Picture')}
        </Button>
      )}
    </div>
  )
}
