import { addToast } from './toasts.ts'

/** Copies the link; where the clipboard is refused, the old way, and where that is too, the link is left selected. */
export async function copyLink(link: string, field: HTMLInputElement | null, name = 'Shareable link'): Promise<void> {
  if ((await copiedByClipboard(link)) || copiedBySelection(field)) {
    addToast({ title: 'Link Copied', description: `${name} has been copied to clipboard!` })
  } else {
    addToast({
      title: 'Link Selected',
      description: 'Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.',
    })
  }
}

async function copiedByClipboard(link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link)
    return true
  } catch {
    return false
  }
}

/** The clipboard API is missing on plain http addresses; this old call is not. */
function copiedBySelection(field: HTMLInputElement | null): boolean {
  field?.focus()
  field?.select()
  return document.execCommand('copy')
}
