import { useState } from 'react'
import type { SomeDuplicates } from '#db/rsvp/schema.ts'
import { viewAddress } from '#site/lib/responses-view.ts'
import { mergeDuplicates } from '#site/stores/admin/duplicates.ts'
import { dayText } from '#site/texts/dates.ts'
import { Button } from '#site/ui/Button.tsx'

/** Who sent more than one response for a service, and what can be done about it; nothing where no one has. */
export function DuplicatesNote({ duplicates, total }: SomeDuplicates) {
  const [merging, setMerging] = useState(false)
  if (total === 0) return null

  async function merge(ids: number[]) {
    setMerging(true)
    await mergeDuplicates(ids)
    setMerging(false)
  }

  const others = total - duplicates.length
  return (
    <section className="notice duplicates" aria-labelledby="duplicates">
      <div className="duplicates__text">
        <h3 id="duplicates" className="duplicates__title">
          Sent more than once
        </h3>
        <p>People are counted from the newest. Merging keeps that one and deletes the others; they can be restored.</p>
      </div>
      <ul className="duplicates__list">
        {duplicates.map(({ id, name, serviceDate, superseded }) => (
          <li key={id} className="duplicates__person">
            <span>
              <bdi>{name}</bdi> sent {superseded.length + 1} responses for {dayText(serviceDate)}.
            </span>
            <span className="duplicates__acts">
              <a
                href={`${viewAddress({ week: serviceDate, same: String(id) })}#responses`}
                aria-label={`Show those of ${name}`}
              >
                Show {superseded.length === 1 ? 'both' : `all ${superseded.length + 1}`}
              </a>
              <Button
                variant="secondary"
                className="needs-script"
                aria-label={`Merge the RSVPs of ${name}`}
                disabled={merging}
                onClick={() => merge([id])}
              >
                Merge
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p>
          And {others.toLocaleString('en-US')} more {others === 1 ? 'person' : 'people'}.
        </p>
      )}
      {duplicates.length > 1 && (
        <Button
          variant="secondary"
          className="needs-script duplicates__all"
          disabled={merging}
          onClick={() => merge(duplicates.map(({ id }) => id))}
        >
          Merge {others > 0 ? 'these' : 'all'} {duplicates.length}
        </Button>
      )}
    </section>
  )
}
