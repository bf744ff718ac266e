import { type ReactNode, useCallback, useState } from 'react'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { OfferedRole } from '#db/values/volunteer-role.ts'
import { type AdminPage, filterQuery, isFiltered } from '#site/lib/admin-page.ts'
import { attendanceText, type Entered, loadMerge } from '#site/stores/admin/entry.ts'
import {
  deleteRsvp,
  deleteRsvps,
  deleteSelection,
  downloadCsv,
  refuseEmptySelection,
} from '#site/stores/admin/stored-rsvps.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { comma, dayText, numberText } from '#site/texts/dates.ts'
import { weekName } from '#site/texts/schedule.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { download, Icon, plus } from '#site/ui/Icon.tsx'
import { LoadFailed, Panel } from '#site/ui/Panel.tsx'
import { DeletedRsvps, StandingHouseholds } from './OpenedLists.tsx'
import { DuplicatesNote } from './ResponsesNotes.tsx'
import { NoResponses, ResponsesPager, ResponsesSearch, ShowAll } from './ResponsesView.tsx'
import { SomeNames } from './StoredRsvpRow.tsx'
import { SelectionBar, StoredRsvpsTable, useSelection } from './StoredRsvpsTable.tsx'

const noRoles: OfferedRole[] = []

export function ResponsesPanel({ admin }: { admin: AdminPage }) {
  const { view, week, page, duplicates, zone } = admin
  // With the date: in an address `this` means another week once the service is over.
  const shown = { ...view, week }
  // Until the schedule is confirmed, the service of each response is only a guess.
  const severalWeeks = week === undefined && admin.schedule?.confirmed === true
  const selection = useSelection(page)
  const entry = useEntry(admin)
  /** What is to be deleted once that is confirmed. */
  const [asked, setAsked] = useState<StoredRsvp | 'selected'>()
  const [deleting, setDeleting] = useState(false)
  const named = asked === 'selected' ? selection.ticked : asked ? [asked] : []
  const count = asked === 'selected' ? selection.count : 1

  async function deleteAsked() {
    const { all, ticked, unticked } = selection
    setDeleting(true)
    if (asked && asked !== 'selected') await deleteRsvp(asked)
    else if (page && all) await deleteSelection({ ...shown, newest: page.newest, except: unticked })
    else await deleteRsvps(ticked.map(({ id }) => id))
    setDeleting(false)
    setAsked(undefined)
  }

  return (
    <Panel
      id="responses"
      className="responses-panel"
      title={t('RSVP Responses')}
      description={
        page && (
          <>
            <span id="download-holds" className="responses-held">
              {downloadText(admin, page.total)}
            </span>
            {(isFiltered(view) || view.sort !== undefined) && <ShowAll view={view} />}
          </>
        )
      }
      actions={
        <>
          <Button variant="secondary" className="needs-script" onClick={() => entry.open({})}>
            <Icon shape={plus} />
            {t('Add a response')}
          </Button>
          <Button
            variant="secondary"
            className="needs-script"
            aria-describedby="download-holds"
            onClick={() => downloadCsv(filterQuery(shown))}
          >
            <Icon shape={download} />
            {t('Download CSV')}
          </Button>
        </>
      }
    >
      <ResponsesSearch view={view} roles={admin.roles ?? noRoles} />
      {duplicates && <DuplicatesNote found={duplicates} onMerge={(id) => entry.open(loadMerge(id))} />}
      {page ? (
        <>
          <div {...selection.wiring}>
            <SelectionBar
              selection={selection}
              page={page}
              onDelete={() => (selection.count === 0 ? refuseEmptySelection() : setAsked('selected'))}
            />
            <StoredRsvpsTable
              rows={page.responses}
              severalWeeks={severalWeeks}
              zone={zone}
              duplicates={duplicates}
              onEdit={entry.open}
              onDelete={setAsked}
            />
          </div>
          <NoResponses admin={admin} total={page.total} />
          <ResponsesPager admin={admin} page={page} />
        </>
      ) : (
        <LoadFailed onRetry={async () => location.reload()}>{t('The responses could not be loaded.')}</LoadFailed>
      )}
      <StandingHouseholds zone={zone} />
      <DeletedRsvps zone={zone} days={admin.restorableDays} />
      {entry.dialog}
      {asked && (
        <ConfirmDialog
          title={asked === 'selected' ? t('Delete Selected') : t('Delete RSVP')}
          confirmLabel={t('Delete')}
          destructive
          busy={deleting}
          onConfirm={deleteAsked}
          onCancel={() => setAsked(undefined)}
        >
          {asked === 'selected'
            ? plural(
                count,
                'Are you sure you want to delete {count} selected RSVPs?',
                'Are you sure you want to delete {count} selected RSVPs?',
              )
            : t('Are you sure you want to delete this RSVP?')}
          <p className="dialog__who">
            <SomeNames names={named.map(({ name }) => name)} count={count} />
          </p>
          {count === 1 && named[0] && attendanceText(named[0])}
          {named.some(({ standing, serviceDate }) => standing && serviceDate >= admin.today) && (
            <p>{t('This is only for that week. “Who comes every week”, below the responses, ends all weeks ahead.')}</p>
          )}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** The contents of a download, e.g. `this week, 86 responses and 2 sent again`. */
function downloadText({ view, week, today, superseded }: AdminPage, total: number): string {
  const name = week === undefined ? t('all weeks') : (weekName(week, today)?.within ?? dayText(week))
  const again = isFiltered(view) ? 0 : superseded
  const responses = plural(total - again, '{count} response', '{count} responses')
  const all = again > 0 ? t('{responses} and {count} sent again', { responses, count: numberText(again) }) : responses
  return `${name}${comma()}${all}`
}

const loadEntryForm = () => import('./EntryDialog.tsx')
type EntryForm = Awaited<ReturnType<typeof loadEntryForm>>

/** The form to add, change and merge responses, loaded on demand. New ones are for the service that is shown. */
function useEntry({ week: shown, ...admin }: AdminPage) {
  const { days } = admin
  const day = [...days.next, ...days.past].find((date) => date === shown) ?? days.next[0] ?? ''
  const [opened, setOpened] = useState<EntryForm & Entered>()

  /** Opens the form, unless it is open already. */
  const open = useCallback(async (asked: Entered | Promise<Entered | undefined>) => {
    const [form, entered] = await Promise.all([loadEntryForm().catch(() => undefined), asked])
    if (form === undefined) addErrorToast(t('The form could not be loaded. Please try again.'))
    else if (entered !== undefined) setOpened((earlier) => earlier ?? { ...form, ...entered })
  }, [])

  const dialog: ReactNode = opened && (
    <opened.EntryDialog entered={opened} firstDay={day} admin={admin} onClose={() => setOpened(undefined)} />
  )
  return { open, dialog }
}
