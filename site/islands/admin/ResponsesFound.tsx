import { isFiltered, type ResponsesView, showsDuplicates } from '#site/lib/responses-view.ts'
import { numberText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'

/** How many of all responses a filter finds. */
export function ResponsesFound({ view, total, of }: { view: ResponsesView; total: number; of: number }) {
  if (total === 0 || !isFiltered(view)) return null
  return (
    <p className="responses-view__found">
      {t('{found} of {all} responses match.', { found: numberText(total), all: numberText(of) })}
      {total === 1 &&
        showsDuplicates(view) &&
        ` ${t('It has no duplicates any more: they were merged, deleted or changed. What is deleted can be restored above.')}`}
    </p>
  )
}
