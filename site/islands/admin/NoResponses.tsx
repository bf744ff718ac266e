import { isFiltered, type ResponsesView, showsDuplicates, viewAddress } from '#site/lib/responses-view.ts'
import { dayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { users } from '#site/ui/icons.ts'

/** Shown in place of rows: whether there are no responses at all, or only none that match. */
export function NoResponses({
  view,
  week,
  total,
  inviting,
}: {
  view: ResponsesView
  week: string | undefined
  total: number
  /** Whether people can still respond for it: not where the service is over, or left out. */
  inviting: boolean
}) {
  if (total > 0) return null
  if (!isFiltered(view)) {
    const none = week === undefined ? t('No responses yet.') : t('No responses for {day}.', { day: dayText(week) })
    return (
      <EmptyState icon={users}>
        {none} {inviting && t('Share the link to invite people.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={users}
      action={
        <a className={buttonClass('secondary')} href={`${viewAddress({ week: view.week })}#responses`}>
          {t('Show All')}
        </a>
      }
    >
      {showsDuplicates(view)
        ? t('These duplicates were deleted or changed meanwhile. What is deleted can be restored above.')
        : t('No response matches. Search for less, or for another word.')}
    </EmptyState>
  )
}
