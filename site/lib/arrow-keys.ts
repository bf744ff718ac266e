/**
 * Makes each group of similar controls one tab stop: the buttons or the rows inside an element with `data-arrows`. The
 * arrow keys, Home and End move within it. Until a group first has the focus, each of its controls is a tab stop, so
 * none is out of reach before this runs.
 */
export function followArrowKeys(): void {
  document.addEventListener('focusin', ({ target }) => keepOneStop(target))
  document.addEventListener('keydown', moveByKey)
  keepOneStop(document.activeElement)
}

function keepOneStop(focused: EventTarget | null): void {
  const { items, current } = placeOf(focused)
  for (const item of items) {
    const stop = item === current ? 0 : -1
    for (const control of controlsOf(item)) if (control.tabIndex !== stop) control.tabIndex = stop
  }
}

function moveByKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const { items, current } = placeOf(event.target)
  if (!current || !(event.target instanceof Element)) return
  const backwards = getComputedStyle(current).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const sideways = current === event.target && event.key.match(/^Arrow(Left|Right)$/)
  const next = nextOf(sideways ? (event.key === backwards ? 'ArrowUp' : 'ArrowDown') : event.key, items, current)
  if (!next) return
  event.preventDefault()
  alikeIn(next, current, event.target)?.focus()
}

function placeOf(target: EventTarget | null) {
  if (!(target instanceof Element)) return { items: [], current: undefined }
  const items = Array.from(target.closest('[data-arrows]')?.children ?? [])
  return { items, current: items.find((item) => item.contains(target)) }
}

function nextOf(key: string, items: Element[], current: Element): Element | undefined {
  const place = items.indexOf(current)
  if (key === 'ArrowUp') return items[Math.max(place - 1, 0)]
  if (key === 'ArrowDown') return items[Math.min(place + 1, items.length - 1)]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  return undefined
}

/** The control at the same place of another item; if a row has none there, the one before that place. */
function alikeIn(next: Element, current: Element, focused: Element): HTMLElement | undefined {
  if (current === focused) return next as HTMLElement
  const column = Array.from(current.children).findIndex((cell) => cell.contains(focused))
  const before = Array.from(next.children).slice(0, column).flatMap(controlsOf)
  const cell = current.children[column]
  const place = cell ? controlsOf(cell).indexOf(focused as HTMLElement) : 0
  const same = next.children[column]
  return (same && controlsOf(same)[place]) ?? before.at(-1) ?? controlsOf(next)[0]
}

function controlsOf(item: Element): HTMLElement[] {
  const within = Array.from(item.querySelectorAll<HTMLElement>('a[href], button, input'))
  return item instanceof HTMLButtonElement ? [item] : within
}
