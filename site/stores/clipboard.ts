import { t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

/** Copies a link, or selects it if the browser denies copying. */
export async function copyLink(
  link: string,
  field: HTMLInputElement | null,
  copied = t('Shareable link has been copied to clipboard!'),
): Promise<void> {
  const isCopied = await copyText(link, () => {
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
    field?.select()
  })
  addToast({
    title: isCopied ? t('Link Copied') : t('Link Selected'),
    description: isCopied ? copied : t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.'),
  })
}

/** Copies a list, or selects it on the page if the browser denies copying. */
export async function copyList(text: string, shown: HTMLElement): Promise<void> {
  const isCopied = await copyText(text, () => getSelection()?.selectAllChildren(shown))
  addToast({
    title: isCopied ? t('List Copied') : t('List Selected'),
    description: isCopied
      ? t('Names, phone numbers and emails are in the clipboard.')
      : t('Your browser does not let us copy. Press Ctrl+C.'),
  })
}

/** @returns whether the browser allowed it. If not, the text is left selected. */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Plain HTTP has only the older API, which copies the selection.
    select()
    return document.execCommand('copy')
  }
}
