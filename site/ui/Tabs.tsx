import { type KeyboardEvent, type ReactNode, useId } from 'react'

/** Tabs as in the WAI-ARIA pattern: one tab stop; the arrow keys, Home and End select at once. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly { id: Id; label: ReactNode; panel: ReactNode }[]
  selected: Id
  onSelect: (id: Id) => void
}) {
  const prefix = useId()

  function selectByKey(event: KeyboardEvent<HTMLDivElement>) {
    const next = neighbor(
      event.key,
      tabs.findIndex((tab) => tab.id === selected),
      tabs.length,
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    document.getElementById(`${prefix}-${tab.id}-tab`)?.focus()
  }

  return (
    <div className="tabs">
      <div className="tabs__list needs-script" role="tablist" aria-label={label} onKeyDown={selectByKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            className="tabs__tab"
            id={`${prefix}-${tab.id}-tab`}
            type="button"
            role="tab"
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${prefix}-${tab.id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map(
        (tab) =>
          tab.id === selected && (
            <div
              key={tab.id}
              className="tabs__panel"
              id={`${prefix}-${tab.id}-panel`}
              role="tabpanel"
              aria-labelledby={`${prefix}-${tab.id}-tab`}
            >
              {tab.panel}
            </div>
          ),
      )}
    </div>
  )
}

function neighbor(key: string, current: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowLeft') return (current - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
