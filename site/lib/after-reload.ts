import type { Notice } from '#site/stores/toasts.ts'
import { readText, writeText } from './storage.ts'

/** The key in session storage. `restorePlace` reads it as well. */
export const AFTER_RELOAD = 'after-reload'

/** What this tab shows once it has reloaded the page. */
export type AfterReload<Undo> = {
  /** A selector of the element to focus. Closed details around it are opened. */
  focus: string
  notice?: Pick<Notice, 'title' | 'description' | 'variant'>
  /** What the Undo button of the notice reverts. */
  undo?: Undo | undefined
}

export function reloadWith<Undo>(after: AfterReload<Undo>): void {
  writeText(AFTER_RELOAD, JSON.stringify({ ...after, path: location.pathname, scrolled: scrollY }))
  location.reload()
}

/** Returns and removes what `reloadWith` stored. If the session has ended meanwhile, that is after the next sign-in. */
export function takeAfterReload<Undo>(): Partial<AfterReload<Undo>> {
  const kept = readText(AFTER_RELOAD)
  writeText(AFTER_RELOAD, '')
  try {
    return JSON.parse(kept)
  } catch {
    return {}
  }
}
