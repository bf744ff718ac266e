export const adminTabs = [
  { id: 'responses', label: 'Responses' },
  { id: 'settings', label: 'Settings' },
  { id: 'share', label: 'Share' },
] as const
export type AdminTab = (typeof adminTabs)[number]['id']

/** The tab that an address names; the responses if it names no existing tab. */
export function adminTabFrom(searchParams: URLSearchParams): AdminTab {
  const requested = searchParams.get('tab')
  return adminTabs.find(({ id }) => id === requested)?.id ?? 'responses'
}
