import { useState } from 'react'
import { useForm } from '#site/lib/use-form.ts'
import { countRsvpsOf, eraseRsvpsOf } from '#site/stores/admin/stored-rsvps.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Panel } from '#site/ui/Panel.tsx'

/** Erases everything that one person has sent, when that person asks for it. */
export function ErasePanel() {
  const [found, setFound] = useState<{ email: string; count: number }>()
  const { form, errors, pending } = useForm(async (text, refuse) => {
    setFound(undefined)
    const email = text('email')
    const count = await countRsvpsOf(email, refuse)
    if (count !== undefined) setFound({ email, count })
  })

  function erase(email: string) {
    setFound(undefined)
    eraseRsvpsOf(email)
  }

  return (
    <Panel
      id="erasing"
      title={t('Erase for Good')}
      description={t(
        'When someone asks for it: all responses sent with an email address, the deleted ones included. First make sure that the address belongs to the one who asks.',
      )}
    >
      <form {...form} className="stack needs-script" aria-label={t('Erase for Good')}>
        <Field label={t('Email')} name="email" type="email" autoComplete="off" error={errors.email} />
        <Button type="submit" variant="secondary" aria-disabled={pending || undefined}>
          {t('Find Responses')}
        </Button>
        <p role="status">{found?.count === 0 && t('Nothing is stored under that address.')}</p>
      </form>
      {found !== undefined && found.count > 0 && (
        <ConfirmDialog
          title={plural(found.count, 'Erase {count} response for good?', 'Erase {count} responses for good?')}
          confirmLabel={t('Erase')}
          destructive
          onCancel={() => setFound(undefined)}
          onConfirm={() => erase(found.email)}
        >
          <bdi>{found.email}</bdi>
          <br />
          {t('This cannot be undone. Only older backups hold them then.')}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
