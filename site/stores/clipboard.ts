import { t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

/** Copies the link; where the browser denies that, the link is left selected. */
export async function copyLink(
  link: string,
  field: HTMLInputElement | null,
  copied = t('Shareable link has been copied to clipboard!'),
): Promise<void> {
  const isCopied = await copy(link, () => {
    field?.focus()
    field?.select()
  })
  addToast({
    title: isCopied ? t('Link Copied') : t('Link Selected'),
    description: isCopied ? copied : t('Your browser does not let us copy. Press Ctrl+C, or hold the link to copy it.'),
  })
}

/** Copies a list; where the browser denies that, what is shown of it is left selected. */
export async function copyList(text: string, shown: HTMLElement): Promise<void> {
  const isCopied = await copy(text, () => getSelection()?.selectAllChildren(shown))
  addToast({
    title: isCopied ? t('List Copied') : t('List Selected'),
    description: isCopied
      ? t('Names, phone numbers and emails are in the clipboard.')
      : t('Your browser does not let us copy. Press Ctrl+C.'),
  })
}

/** The clipboard API is missing on plain http addresses; the old call, which copies what is selected, is not. */
async function copy(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    select()
    return document.execCommand('copy')
  }
}
