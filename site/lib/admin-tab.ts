export const adminTabs = [
  { id: 'responses', label: 'Responses' },
  { id: 'settings', label: 'Settings' },
  { id: 'share', label: 'Share' },
] as const
export type AdminTab = (typeof adminTabs)[number]['id']

/** The tab that an address asks for; the responses where it asks for none that exists. */
export function adminTabFrom(searchParams: URLSearchParams): AdminTab {
  const asked = searchParams.get('tab')
  return adminTabs.find(({ id }) => id === asked)?.id ?? 'responses'
}
