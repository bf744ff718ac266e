import type { TablePage } from '#db/rsvp/schema.ts'
import { neighborsOf, printAddress, type ResponsesView } from '#site/lib/responses-view.ts'
import { numberText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'

const labels = () => ({
  newest: { previous: t('Newer'), next: t('Older') },
  oldest: { previous: t('Older'), next: t('Newer') },
  name: { previous: t('Previous'), next: t('Next') },
})

/** Where this page is among all that match, e.g. `101–200 of 12,345`. */
function positionText({ responses, ahead, total }: TablePage): string {
  const [first, last] = [numberText(ahead + 1), numberText(ahead + responses.length)]
  return t('{first}–{last} of {total}', { first, last, total: numberText(total) })
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
  const label = labels()[view.sort ?? 'newest']
  return (
    <nav className="pager" aria-label={t('Pages of responses')}>
      <span className="pager__position">
        {positionText(page)}. <a href={printAddress(shown)}>{t('Print all {total}', { total: numberText(total) })}</a>
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
