import { type ReactNode, useCallback, useState } from 'react'
import { proposeMerge, type SameSender } from '#db/rsvp/proposal.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { EntryChoices } from '#site/lib/entry-form.ts'
import { loadSameSender } from '#site/stores/admin/duplicates.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'

const loadParts = async () => (await import('./entry/parts.ts')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>

/**
 * The form in which responses are added and changed, which is loaded once it is asked for.
 * @param shown the day of the service whose responses are shown: new ones are for it.
 */
export function useEntry(choices: EntryChoices, shown: string | undefined, zone: string) {
  const { days } = choices
  const day = [...days.next, ...days.past].find((date) => date === shown) ?? days.next[0] ?? ''
  const [opened, setOpened] = useState<Parts & { stored?: StoredRsvp | undefined; merged?: SameSender }>()

  /** Opens it for a response that is to be changed, or for new ones, unless it is open by then. */
  const open = useCallback(async (stored?: StoredRsvp) => {
    try {
      const parts = await loadParts()
      setOpened((earlier) => earlier ?? { ...parts, stored })
    } catch {
      addErrorToast(t('The form could not be loaded. Please try again.'))
    }
  }, [])

  /** Opens it for what the responses of a person say together, unless it is open by then. */
  const merge = useCallback(async (id: number) => {
    const [parts, merged] = await Promise.all([loadParts().catch(() => undefined), loadSameSender(id)])
    if (parts === undefined) addErrorToast(t('The form could not be loaded. Please try again.'))
    else if (merged !== undefined) setOpened((earlier) => earlier ?? { ...parts, stored: proposeMerge(merged), merged })
  }, [])

  const dialog: ReactNode = opened && (
    <opened.EntryDialog
      stored={opened.stored}
      merged={opened.merged}
      firstDay={day}
      choices={choices}
      zone={zone}
      onClose={() => setOpened(undefined)}
    />
  )
  return { open, merge, dialog }
}
