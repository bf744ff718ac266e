const HOUR = 60 * 60 * 1000

/** How long ago, in words. */
export function agoOf(age: number): string {
  const hours = Math.floor(age / HOUR)
  if (hours < 1) return 'within the last hour'
  if (hours < 48) return hours === 1 ? 'an hour ago' : `${hours} hours ago`
  return `${Math.floor(hours / 24)} days ago`
}
