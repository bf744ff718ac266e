/** The status in words: the same in a list, in a CSV and in a line. */
export function statusText({ attending }: { attending: boolean }): string {
  return attending ? 'Attending' : 'Not Attending'
}

/** Said wherever people are counted; empty where nothing was left out. */
export function supersededText(superseded: number): string {
  if (superseded === 0) return ''
  if (superseded === 1) return '1 response was sent again; the newest counts.'
  return `${superseded.toLocaleString('en-US')} responses were sent again; the newest of each counts.`
}
