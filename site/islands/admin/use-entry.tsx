import { type ReactNode, useCallback, useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { EntryChoices } from '#site/lib/entry-form.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'

const loadParts = async () => (await import('./entry/parts.ts')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>

/**
 * The form in which responses are added and changed, which is loaded once it is asked for.
 * @param shown the day of the service whose responses are shown: new ones are for it.
 */
export function useEntry(choices: EntryChoices, shown: string | undefined) {
  const { days } = choices
  const day = [...days.next, ...days.past].find((date) => date === shown) ?? days.next[0] ?? ''
  const [opened, setOpened] = useState<Parts & { stored: StoredRsvp | undefined }>()

  /** Opens it for a response that is to be changed, or for new ones. */
  const open = useCallback(async (stored?: StoredRsvp) => {
    try {
      const parts = await loadParts()
      setOpened({ ...parts, stored })
    } catch {
      addErrorToast(t('The form could not be loaded. Please try again.'))
    }
  }, [])

  const dialog: ReactNode = opened && (
    <opened.EntryDialog stored={opened.stored} firstDay={day} choices={choices} onClose={() => setOpened(undefined)} />
  )
  return { open, dialog }
}
