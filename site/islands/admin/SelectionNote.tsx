import type { TablePage } from '#db/rsvp/schema.ts'
import { Button } from '#site/ui/Button.tsx'
import type { Selection } from './use-selection.ts'

/** How many are selected; once that is the whole page, the offer to select what is on the other pages as well. */
export function SelectionNote({
  selection: { count, all, unticked, selectAll },
  page,
}: {
  selection: Selection
  page: TablePage
}) {
  const { responses, total } = page
  const isOffered = all || (unticked.length === 0 && total > responses.length)
  return (
    <>
      <span className="selection-note" role="status">
        {count > 0 && `${count.toLocaleString('en-US')} selected`}
      </span>
      {isOffered && (
        <Button variant="quiet" onClick={() => selectAll(!all)}>
          {all ? 'Select only this page' : `Select all ${total.toLocaleString('en-US')} on all pages`}
        </Button>
      )}
    </>
  )
}
