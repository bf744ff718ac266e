import { useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import {
  $storedRsvps,
  deleteRsvp,
  deleteRsvps,
  downloadCsv,
  refuseEmptySelection,
  refuseUnknownSelection,
} from '#site/stores/admin/stored-rsvps.ts'
import { Button } from '#site/ui/Button.tsx'
import { Count } from '#site/ui/Count.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { DeletedRsvps } from './DeletedRsvps.tsx'
import { StoredRsvpsTable } from './StoredRsvpsTable.tsx'

type Question = { ids: number[]; message: string; single: boolean }

/** The responses with counts, download and deletion. */
export function ResponsesPanel({
  rendered,
  complete,
  counts,
  zone,
  restorableDays,
}: {
  rendered: StoredRsvp[] | null
  complete: boolean
  counts: { attending: number; notAttending: number } | null
  zone: string
  restorableDays: number
}) {
  const { data, error } = useResource(complete ? rendered : null, $storedRsvps)
  const rows = data ?? rendered
  // 'all' includes the rows that are still loading.
  const [chosen, setChosen] = useState<ReadonlySet<number> | 'all'>(new Set())
  const selected = chosen === 'all' ? new Set(rows?.map((row) => row.id)) : chosen
  const [question, setQuestion] = useState<Question>()
  const [deleting, setDeleting] = useState(false)

  function confirmSelected() {
    const ids = [...selected]
    if (ids.length === 0) return refuseEmptySelection()
    if (chosen === 'all' && !data && !error) return refuseUnknownSelection()
    setQuestion({ ids, message: `Are you sure you want to delete ${ids.length} selected RSVPs?`, single: false })
  }

  async function deleteConfirmed({ ids, single }: Question) {
    setDeleting(true)
    await (single && ids[0] !== undefined ? deleteRsvp(ids[0]) : deleteRsvps(ids))
    setDeleting(false)
    setQuestion(undefined)
  }

  return (
    <Panel
      title="RSVP Responses"
      actions={
        <Button variant="secondary" onClick={downloadCsv}>
          <Icon name="download" />
          Download CSV
        </Button>
      }
    >
      <div className="counts">
        <Count tone="yes" label="Attending" value={counts?.attending ?? rows?.filter((row) => row.attending).length} />
        <Count
          tone="no"
          label="Not Attending"
          value={counts?.notAttending ?? rows?.filter((row) => !row.attending).length}
        />
      </div>
      <div className="toolbar">
        <Button variant="danger" onClick={confirmSelected}>
          <Icon name="trash" />
          Delete Selected
        </Button>
      </div>
      {rows && (
        <StoredRsvpsTable
          rows={rows}
          zone={zone}
          selected={selected}
          onSelect={setChosen}
          onDelete={(id) =>
            setQuestion({ ids: [id], message: 'Are you sure you want to delete this RSVP?', single: true })
          }
        />
      )}
      {rows?.length === 0 && <EmptyState icon="users">No responses yet. Share the link to invite people.</EmptyState>}
      {!data && !error && <LoadingText>Loading responses...</LoadingText>}
      {error !== undefined && <LoadFailed onRetry={$storedRsvps.reload}>The responses could not be loaded.</LoadFailed>}
      <DeletedRsvps zone={zone} days={restorableDays} />
      <ConfirmDialog
        open={question !== undefined}
        title={question?.single ? 'Delete RSVP' : 'Delete Selected'}
        message={question?.message}
        confirmLabel="Delete"
        cancelLabel="Cancel"
        destructive
        busy={deleting}
        onConfirm={() => question && deleteConfirmed(question)}
        onCancel={() => setQuestion(undefined)}
      />
    </Panel>
  )
}
