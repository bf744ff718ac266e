import { useState } from 'react'
import { undoEntry } from '#site/stores/admin/entry.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'

export type Saved = { id: number; text: string }

/** Says what was saved last, and takes it back. */
export function SavedNote({ saved, onUndone }: { saved: Saved | undefined; onUndone: () => void }) {
  const [undone, setUndone] = useState<{ id: number; failed: string | undefined }>()
  const isUndone = saved !== undefined && undone?.id === saved.id

  async function undo({ id }: Saved) {
    const failed = await undoEntry(id)
    setUndone({ id, failed })
    if (failed === undefined) onUndone()
  }

  return (
    <div className="entry__saved">
      <p role="status">
        {saved && !isUndone && t('Saved: {saved}', { saved: saved.text })}
        {saved && isUndone && (undone.failed ?? t('Taken back: {saved}', { saved: saved.text }))}
      </p>
      {saved && (!isUndone || undone.failed !== undefined) && (
        <Button variant="quiet" onClick={() => undo(saved)}>
          {t('Undo')}
        </Button>
      )}
    </div>
  )
}
