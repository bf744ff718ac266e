import type { EventContent } from '#db/event/content.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon, plus } from '#site/ui/Icon.tsx'

/** Below the event, for its editors: what first-time visitors do not find there yet. */
export function EditorNotes({
  event,
  onAdd,
}: {
  event: EventContent
  /** Opens the editor at a text. Until its code has loaded, the buttons only keep their place. */
  onAdd?: (name: keyof EventContent) => void
}) {
  return (
    <div className="flow invitation__missing needs-script">
      {!event.whatToExpect && (
        <Button variant="quiet" disabled={!onAdd} onClick={() => onAdd?.('whatToExpect')}>
          <Icon shape={plus} />
          {t('Add what to expect')}
        </Button>
      )}
      {!event.contact && (
        <Button variant="quiet" disabled={!onAdd} onClick={() => onAdd?.('contact')}>
          <Icon shape={plus} />
          {t('Add whom to ask')}
        </Button>
      )}
    </div>
  )
}
