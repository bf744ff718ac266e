import { t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

/** Copies the link; if the browser denies that, leaves it selected. */
export async function copyLink(
  link: string,
  field: HTMLInputElement | null,
  copied = t('Shareable link has been copied to clipboard!'),
): Promise<void> {
  const isCopied = await copyText(link, () => {
    field?.focus()
    field?.select()
  })
  addToast({
    title: isCopied ? t('Link Copied') : t('Link Selected'),
    description: isCopied ? copied : t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.'),
  })
}

/** Copies a list; if the browser denies that, leaves it selected on the page. */
export async function copyList(text: string, shown: HTMLElement): Promise<void> {
  const isCopied = await copyText(text, () => getSelection()?.selectAllChildren(shown))
  addToast({
    title: isCopied ? t('List Copied') : t('List Selected'),
    description: isCopied
      ? t('Names, phone numbers and emails are in the clipboard.')
      : t('Your browser does not let us copy. Press Ctrl+C.'),
  })
}

/**
 * Plain HTTP has no clipboard API, but the older call, which copies the selection.
 * @returns whether the browser allowed it.
 */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    select()
    return document.execCommand('copy')
  }
}
