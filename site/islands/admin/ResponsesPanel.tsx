import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import type { ShownDuplicates, TablePage, ToCall } from '#db/rsvp/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { EntryChoices } from '#site/lib/entry-form.ts'
import { filterQuery, type ResponsesView } from '#site/lib/responses-view.ts'
import { deleteSelection } from '#site/stores/admin/selection.ts'
import { deleteRsvp, deleteRsvps, downloadCsv, refuseEmptySelection } from '#site/stores/admin/stored-rsvps.ts'
import { copyList } from '#site/stores/share-link.ts'
import { comma, dayText } from '#site/texts/dates.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { weekName } from '#site/texts/week.ts'
import { Button } from '#site/ui/Button.tsx'
import { Count } from '#site/ui/Count.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { plus } from '#site/ui/icons.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { NameList } from '#site/ui/NameList.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { EmailLink, PhoneLink } from './contact-links.tsx'
import { DeletedRsvps } from './DeletedRsvps.tsx'
import { DuplicatesNote } from './DuplicatesNote.tsx'
import { copy, download } from './icons.ts'
import { NoResponses } from './NoResponses.tsx'
import { ResponsesFound } from './ResponsesFound.tsx'
import { ResponsesPager } from './ResponsesPager.tsx'
import { ResponsesSearch } from './ResponsesSearch.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { SentAgain } from './StoredRsvpCells.tsx'
import { StoredRsvpsTable } from './StoredRsvpsTable.tsx'
import { useEntry } from './use-entry.tsx'
import { useSelection } from './use-selection.ts'

type Question = { message: string; names: string[]; others: number; single: boolean; confirmed: () => Promise<void> }

/** How many names a question lists; more would not be read before confirming. */
const NAMED = 3

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
  toCall,
  today,
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
  duplicates: ShownDuplicates | null
  roles: VolunteerRole[] | null
  counts: { attending: number; notAttending: number } | null
  overview: ReactNode
  /** Whom to tell that the service is skipped. */
  toCall: ToCall[] | undefined
  /** In the time zone of the schedule. */
  today: string
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
  const entry = useEntry(choices, week, zone)
  const sentAgain = useMemo(() => markedRows(duplicates), [duplicates])
  const [question, setQuestion] = useState<Question>()
  const [deleting, setDeleting] = useState(false)

  const askForOne = useCallback(
    (id: number) => {
      setQuestion({
        message: t('Are you sure you want to delete this RSVP?'),
        ...namesIn(page?.responses.filter((row) => row.id === id) ?? [], 1),
        single: true,
        confirmed: () => deleteRsvp(id),
      })
    },
    [page],
  )

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
      ...namesIn(
        page.responses.filter(({ id }) => ticked.has(id)),
        count,
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
          <Button
            variant="secondary"
            className="needs-script"
            aria-describedby="download-holds"
            onClick={() => downloadCsv(filterQuery(shown))}
          >
            <Icon shape={download} />
            {t('Download CSV')}
          </Button>
          {page && counts && (
            <span id="download-holds" className="responses-held needs-script">
              {heldText(week, today, page.total, counts.attending + counts.notAttending)}
            </span>
          )}
        </>
      }
    >
      {overview}
      {toCall && toCall.length > 0 && <WhomToCall people={toCall} />}
      <div className="counts">
        <Count tone="yes" label={t('Attending')} value={counts?.attending} />
        <Count tone="no" label={t('Not Attending')} value={counts?.notAttending} />
      </div>
      {duplicates && <DuplicatesNote {...duplicates} onMerge={entry.merge} />}
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
              sentAgain={sentAgain}
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
        message={
          question && (
            <>
              {question.message}
              <br />
              <NameList names={question.names} />
              {question.others > 0 && ` ${t('and {count} more', { count: question.others })}`}
            </>
          )
        }
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

/** E.g. `Ana Cole, Ben Roe, Cy Fox and 12 more`. */
function namesIn(responses: { name: string }[], count: number): Pick<Question, 'names' | 'others'> {
  const names = responses.slice(0, NAMED).map(({ name }) => name)
  return { names, others: count - names.length }
}

/** Whether a row is superseded, or the newest of several, by its id. */
function markedRows(duplicates: ShownDuplicates | null): Map<number, SentAgain> {
  const { superseded = [], newest = [] } = duplicates?.marked ?? {}
  return new Map([
    ...superseded.map((id) => [id, 'superseded'] as const),
    ...newest.map((id) => [id, 'newest'] as const),
  ])
}

/** What a download holds, e.g. `this week, 86 responses`. */
function heldText(week: string | undefined, today: string, total: number, of: number): string {
  const name = week === undefined ? t('all weeks') : (weekName(week, today)?.within ?? dayText(week))
  if (total < of) return t('{week}, {found} of {count} responses', { week: name, found: total, count: of })
  return `${name}${comma()}${plural(total, '{count} response', '{count} responses')}`
}

/** Who wanted to come to a service that is skipped: each can be called or written to, and all be copied. */
function WhomToCall({ people }: { people: ToCall[] }) {
  const list = useRef<HTMLUListElement>(null)
  const text = people.map(({ name, phone, email }) => [name, phone ?? '', email].join('\t')).join('\n')
  return (
    <section className="notice duplicates" aria-labelledby="to-call">
      <h3 id="to-call" className="duplicates__title" tabIndex={-1}>
        {t('Whom to call')}
      </h3>
      <ul ref={list} className="duplicates__list">
        {people.map(({ id, name, phone, email }) => (
          <li key={id}>
            <bdi>{name}</bdi> {phone && <PhoneLink phone={phone} />} {email && <EmailLink email={email} />}
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="needs-script duplicates__all" onClick={() => copyList(text, list.current)}>
        <Icon shape={copy} />
        {t('Copy the list')}
      </Button>
    </section>
  )
}
