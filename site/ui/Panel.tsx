import { type ReactNode, useId } from 'react'

/** A section with its own heading. */
export function Panel({
  id: ownId,
  title,
  description,
  actions,
  className,
  children,
}: {
  /** For links that lead here. */
  id?: string
  title: ReactNode
  description?: ReactNode
  /** Buttons or links beside the heading. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section id={ownId} className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <div className="panel__head">
        <div className="panel__titles">
          <h2 className="panel__title" id={id}>
            {title}
          </h2>
          {description && <p className="panel__description">{description}</p>}
        </div>
        {actions && <div className="panel__actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
