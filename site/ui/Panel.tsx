import { type ReactNode, useId } from 'react'

/** A section with its own heading. */
export function Panel({
  title,
  level = 2,
  description,
  actions,
  className,
  children,
}: {
  title: ReactNode
  level?: 2 | 3 | 4
  description?: ReactNode
  /** Buttons or links beside the heading. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <div className="panel__head">
        <Heading className="panel__title" id={id}>
          {title}
        </Heading>
        {actions && <div className="panel__actions">{actions}</div>}
      </div>
      {description && <p className="panel__description">{description}</p>}
      {children}
    </section>
  )
}
