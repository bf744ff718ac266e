import type { Notice } from '#site/stores/toasts.ts'
import { readText, writeText } from './storage.ts'

/** Key in session storage, also for `restorePlace`, which shows the page where it was scrolled, with the focus. */
export const AFTER_RELOAD = 'after-reload'

/** What the next page of this tab at the same path shows. */
export type AfterReload<Undo> = {
  /** Selects what gets the focus, in opened details too. */
  focus: string
  notice?: Pick<Notice, 'title' | 'description' | 'variant'>
  /** What the button of the notice takes back. */
  undo?: Undo | undefined
}

export function reloadWith<Undo>(after: AfterReload<Undo>): void {
  writeText(AFTER_RELOAD, JSON.stringify({ ...after, path: location.pathname, scrolled: scrollY }))
  location.reload()
}

/** Once. If the session has ended, it waits for the next sign-in. */
export function takeAfterReload<Undo>(): Partial<AfterReload<Undo>> {
  const kept = readText(AFTER_RELOAD)
  writeText(AFTER_RELOAD, '')
  try {
    return JSON.parse(kept)
  } catch {
    return {}
  }
}
