import type { TablePage } from '#db/rsvp/schema.ts'
import { numberText } from '#site/texts/dates.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { trash } from '#site/ui/icons.ts'
import type { Selection } from './use-selection.ts'

/**
 * Deletes what is selected. Quiet until something is, and then always in sight: how many are selected, and, once that is
 * the whole page, the offer to select what is on the other pages as well.
 */
export function SelectionBar({
  selection: { count, all, unticked, selectAll },
  page,
  onDelete,
}: {
  selection: Selection
  /** Null if the server could not read it. */
  page: TablePage | null
  onDelete: () => void
}) {
  const isOffered = page !== null && (all || (unticked.length === 0 && page.total > page.responses.length))
  return (
    <div className={count > 0 ? 'selection selection--some needs-script' : 'selection needs-script'}>
      <span className="selection__count" role="status">
        {count > 0 && plural(count, '{count} selected', '{count} selected')}
      </span>
      <Button variant={count > 0 ? 'danger' : 'quiet'} onClick={onDelete}>
        <Icon shape={trash} />
        {t('Delete Selected')}
      </Button>
      {isOffered && (
        <Button variant="quiet" onClick={() => selectAll(!all)}>
          {all ? t('Select only this page') : t('Select all {total} on all pages', { total: numberText(page.total) })}
        </Button>
      )}
    </div>
  )
}
