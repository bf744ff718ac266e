export const adminTabs = ['responses', 'settings', 'share'] as const
export type AdminTab = (typeof adminTabs)[number]

/** The tab that an address names; the responses if it names no existing tab. */
export function adminTabFrom(searchParams: URLSearchParams): AdminTab {
  const requested = searchParams.get('tab')
  return adminTabs.find((tab) => tab === requested) ?? 'responses'
}
