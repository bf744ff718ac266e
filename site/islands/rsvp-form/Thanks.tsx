import { useEffect, useRef } from 'react'
import { StatusMark } from '#site/ui/StatusMark.tsx'
import type { Recorded } from './send.ts'

/** Stays after the thank-you notice has gone: what was recorded. */
export function Thanks({ recorded: { name, attending, family, roles } }: { recorded: Recorded }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [])

  return (
    <div className="thanks" ref={panel}>
      <h3 className="thanks__title">Thank you, {name}</h3>
      <p>We have written down your answer:</p>
      <ul className="thanks__list">
        <li>
          <StatusMark tone={attending ? 'yes' : 'no'}>{attending ? 'Attending' : 'Not Attending'}</StatusMark>
        </li>
        {family.length > 0 && <li>With you: {family.join(', ')}</li>}
        {roles.length > 0 && <li>You offered to help with: {roles.join(', ')}</li>}
      </ul>
      <p>Plans changed? Send the form again, or tell the church office.</p>
    </div>
  )
}
