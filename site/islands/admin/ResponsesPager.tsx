import type { TablePage } from '#db/rsvp/schema.ts'
import { neighborsOf, printAddress, type ResponsesView } from '#site/lib/responses-view.ts'
import { buttonClass } from '#site/ui/Button.tsx'

const labels = {
  newest: { previous: 'Newer', next: 'Older' },
  oldest: { previous: 'Older', next: 'Newer' },
  name: { previous: 'Previous', next: 'Next' },
}

/** Where this page is among all that match, e.g. `101–200 of 12,345`. */
function positionText({ responses, ahead, total }: TablePage): string {
  const count = (number: number) => number.toLocaleString('en-US')
  return `${count(ahead + 1)}–${count(ahead + responses.length)} of ${count(total)}`
}

/** The way to the pages beside this one. Links, so that reload, Back and a bookmark lead where they should. */
export function ResponsesPager({
  view,
  shown,
  page,
}: {
  view: ResponsesView
  /** The same with the day of its week: what the address calls this week may be another one when the next page is asked for. */
  shown: ResponsesView
  page: TablePage
}) {
  const { responses, ahead, total } = page
  const [first, last] = [responses[0]?.id, responses.at(-1)?.id]
  if (first === undefined || last === undefined || total === responses.length) return null
  const { previous, next } = neighborsOf(
    { ...view, week: shown.week ?? view.week },
    {
      first,
      last,
      hasPrevious: ahead > 0,
      hasNext: ahead + responses.length < total,
    },
  )
  const label = labels[view.sort ?? 'newest']
  return (
    <nav className="pager" aria-label="Pages of responses">
      <span className="pager__position">
        {positionText(page)}. <a href={printAddress(shown)}>Print all {total.toLocaleString('en-US')}</a>
      </span>
      {previous !== undefined && (
        <a className={buttonClass('secondary')} href={`${previous}#responses`} rel="prev">
          {label.previous}
        </a>
      )}
      {next !== undefined && (
        <a className={buttonClass('secondary')} href={`${next}#responses`} rel="next">
          {label.next}
        </a>
      )}
    </nav>
  )
}
