import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { t } from '#site/texts/texts.ts'
import { Button } from './Button.tsx'
import { Icon, warning } from './Icon.tsx'

export function Panel({
  id: ownId,
  title,
  description,
  actions,
  className,
  children,
}: {
  /** The id of the heading, which links to this panel focus. */
  id?: string
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  const generatedId = useId()
  const id = ownId ?? generatedId
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <div className="flow panel__head">
        <div className="panel__titles">
          <h2 className="panel__title" id={id} tabIndex={ownId ? -1 : undefined}>
            {title}
          </h2>
          {description && <p className="panel__description">{description}</p>}
        </div>
        {actions && <div className="flow panel__actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

export function LoadedPanel<Data>({
  reading,
  children,
  ...panel
}: Omit<ComponentProps<typeof Panel>, 'children'> & Pick<ComponentProps<typeof Loaded<Data>>, 'reading' | 'children'>) {
  return (
    <Panel {...panel}>
      <Loaded reading={reading}>{children}</Loaded>
    </Panel>
  )
}

/** Shown instead of an empty list: a sentence that says what to do, and perhaps a button that does it. */
export function EmptyState({ icon, action, children }: { icon?: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="empty">
      {icon && <Icon shape={icon} />}
      <p>{children}</p>
      {action}
    </div>
  )
}

/** Renders loaded data, or a note that it is loading or has failed to load. */
export function Loaded<Data>({
  reading: { data, error, reload },
  loading = t('Loading...'),
  failed = t('The settings could not be loaded.'),
  children,
}: {
  reading: { data?: Data | null; error?: unknown; reload: () => Promise<void> }
  loading?: string
  failed?: string
  children: (data: Data) => ReactNode
}) {
  if (data) return children(data)
  if (error === undefined) return <LoadingText>{loading}</LoadingText>
  return <LoadFailed onRetry={reload}>{failed}</LoadFailed>
}

export function LoadFailed({ onRetry, children }: { onRetry: () => Promise<void>; children: ReactNode }) {
  const [trying, setTrying] = useState(false)

  async function retry() {
    if (trying) return
    setTrying(true)
    await onRetry()
    setTrying(false)
  }

  return (
    <EmptyState
      icon={warning}
      action={
        <Button variant="secondary" aria-disabled={trying || undefined} onClick={retry}>
          {t('Try Again')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

export function LoadingText({ children }: { children: ReactNode }) {
  return (
    <p className="loading" role="status">
      {children}
    </p>
  )
}
