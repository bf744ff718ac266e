import { t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

/** Copies the link; where the clipboard is refused, the old way, and where that is too, the link is left selected. */
export async function copyLink(
  link: string,
  field: HTMLInputElement | null,
  copied = t('Shareable link has been copied to clipboard!'),
): Promise<void> {
  if ((await copiedByClipboard(link)) || copiedBySelection(field)) {
    addToast({ title: t('Link Copied'), description: copied })
  } else {
    addToast({
      title: t('Link Selected'),
      description: t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.'),
    })
  }
}

/** Copies a list; where that is refused, what is shown of it is left selected. */
export async function copyList(text: string, shown: HTMLElement | null): Promise<void> {
  const isCopied = (await copiedByClipboard(text)) || (shown !== null && copiedFrom(shown))
  addToast({
    title: isCopied ? t('List Copied') : t('List Selected'),
    description: isCopied
      ? t('Names, phone numbers and emails are in the clipboard.')
      : t('Your browser does not let us copy. Press Ctrl+C.'),
  })
}

function copiedFrom(shown: HTMLElement): boolean {
  getSelection()?.selectAllChildren(shown)
  return document.execCommand('copy')
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
