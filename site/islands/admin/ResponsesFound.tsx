import { isFiltered, type ResponsesView, showsDuplicates } from '#site/lib/responses-view.ts'

/** How many of all responses a filter finds. */
export function ResponsesFound({ view, total, of }: { view: ResponsesView; total: number; of: number }) {
  if (total === 0 || !isFiltered(view)) return null
  return (
    <p className="responses-view__found">
      {total.toLocaleString('en-US')} of {of.toLocaleString('en-US')} responses match.
      {total === 1 &&
        showsDuplicates(view) &&
        ' It has no duplicates any more: they were merged, deleted or changed. What is deleted can be restored above.'}
    </p>
  )
}
