/** The zone in which days are written and files are named, as in `America/Chicago`: the server's own. */
export const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
