/** The status in words: the same in a list, in a CSV and in a line. */
export function statusText({ attending }: { attending: boolean }): string {
  return attending ? 'Attending' : 'Not Attending'
}
