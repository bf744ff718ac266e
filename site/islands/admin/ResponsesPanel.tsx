import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { SomeDuplicates, TablePage } from '#db/rsvp/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { EntryChoices } from '#site/lib/entry-form.ts'
import { filterQuery, type ResponsesView } from '#site/lib/responses-view.ts'
import { deleteSelection } from '#site/stores/admin/selection.ts'
import { deleteRsvp, deleteRsvps, downloadCsv, refuseEmptySelection } from '#site/stores/admin/stored-rsvps.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Count } from '#site/ui/Count.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { plus } from '#site/ui/icons.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { DeletedRsvps } from './DeletedRsvps.tsx'
import { DuplicatesNote } from './DuplicatesNote.tsx'
import { download } from './icons.ts'
import { NoResponses } from './NoResponses.tsx'
import { ResponsesFound } from './ResponsesFound.tsx'
import { ResponsesPager } from './ResponsesPager.tsx'
import { ResponsesSearch } from './ResponsesSearch.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { StoredRsvpsTable } from './StoredRsvpsTable.tsx'
import { useEntry } from './use-entry.tsx'
import { useSelection } from './use-selection.ts'

type Question = { message: string; single: boolean; confirmed: () => Promise<void> }

/** The responses with counts, search, download and deletion. */
export function ResponsesPanel({
  view,
  week,
  severalWeeks,
  page,
  duplicates,
  roles,
  counts,
  overview,
  inviting,
  choices,
  zone,
  restorableDays,
}: {
  view: ResponsesView
  week: string | undefined
  /** Whether the rows are for services on several days. */
  severalWeeks: boolean
  /** Null if the server could not read it. */
  page: TablePage | null
  duplicates: (SomeDuplicates & { marked: number[] }) | null
  roles: VolunteerRole[] | null
  counts: { attending: number; notAttending: number } | null
  overview: ReactNode
  /** Whether people can still respond for what is shown. */
  inviting: boolean
  /** What a response that is entered can say. */
  choices: EntryChoices
  zone: string
  restorableDays: number
}) {
  // What the address calls this week is another one once its service is over: calls name the day that is shown.
  const shown = { ...view, week }
  const selection = useSelection(page)
  const entry = useEntry(choices, week)
  const superseded = useMemo(() => new Set(duplicates?.marked), [duplicates])
  const [question, setQuestion] = useState<Question>()
  const [deleting, setDeleting] = useState(false)

  const askForOne = useCallback((id: number) => {
    setQuestion({
      message: t('Are you sure you want to delete this RSVP?'),
      single: true,
      confirmed: () => deleteRsvp(id),
    })
  }, [])

  function askForSelected() {
    const { count, ticked, all, unticked } = selection
    if (count === 0 || page === null) return refuseEmptySelection()
    const { newest, fingerprint } = page
    const selected = { ...shown, newest, count, fingerprint, except: unticked }
    setQuestion({
      message: plural(
        count,
        'Are you sure you want to delete {count} selected RSVPs?',
        'Are you sure you want to delete {count} selected RSVPs?',
      ),
      single: false,
      confirmed: () => (all ? deleteSelection(selected) : deleteRsvps([...ticked])),
    })
  }

  async function deleteConfirmed({ confirmed }: Question) {
    setDeleting(true)
    await confirmed()
    setDeleting(false)
    setQuestion(undefined)
  }

  return (
    <Panel
      className="responses-panel"
      title={t('RSVP Responses')}
      actions={
        <>
          <Button variant="secondary" className="needs-script" onClick={() => entry.open()}>
            <Icon shape={plus} />
            {t('Add a response')}
          </Button>
          <Button variant="secondary" className="needs-script" onClick={() => downloadCsv(filterQuery(shown))}>
            <Icon shape={download} />
            {t('Download CSV')}
          </Button>
        </>
      }
    >
      {overview}
      <div className="counts">
        <Count tone="yes" label={t('Attending')} value={counts?.attending} />
        <Count tone="no" label={t('Not Attending')} value={counts?.notAttending} />
      </div>
      {duplicates && <DuplicatesNote {...duplicates} />}
      <div id="responses" className="responses-view">
        <ResponsesSearch view={view} roles={roles ?? []} person={page?.responses[0]?.name} />
        {page && counts && (
          <ResponsesFound view={view} total={page.total} of={counts.attending + counts.notAttending} />
        )}
        <DeletedRsvps zone={zone} days={restorableDays} />
        <SelectionBar selection={selection} page={page} onDelete={askForSelected} />
        {page && (
          <>
            <StoredRsvpsTable
              rows={page.responses}
              severalWeeks={severalWeeks}
              zone={zone}
              superseded={superseded}
              selected={selection.ticked}
              onSelectAll={selection.tickAll}
              onTick={selection.tick}
              onEdit={entry.open}
              onDelete={askForOne}
            />
            <NoResponses view={view} week={week} total={page.total} inviting={inviting} />
            <ResponsesPager view={view} shown={shown} page={page} />
          </>
        )}
        {page === null && (
          <LoadFailed onRetry={async () => location.reload()}>{t('The responses could not be loaded.')}</LoadFailed>
        )}
      </div>
      {entry.dialog}
      <ConfirmDialog
        open={question !== undefined}
        title={question?.single ? t('Delete RSVP') : t('Delete Selected')}
        message={question?.message}
        confirmLabel={t('Delete')}
        cancelLabel={t('Cancel')}
        destructive
        busy={deleting}
        onConfirm={() => question && deleteConfirmed(question)}
        onCancel={() => setQuestion(undefined)}
      />
    </Panel>
  )
}
