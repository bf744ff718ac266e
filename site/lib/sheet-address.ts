/** The page with everything that is printed for one service. */
export const SHEET = '/admin/sheet'

/** What the page shows: the service of a week, with or without what people wrote. */
export type SheetView = { week?: string | undefined; messages?: 'no' | undefined }

export function sheetAddress({ week, messages }: SheetView): string {
  const named = Object.entries({ week, messages }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return named.length === 0 ? SHEET : `${SHEET}?${new URLSearchParams(named)}`
}
