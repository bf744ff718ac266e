import type { Call } from '#db/call.ts'

/** The call of what the site does by itself, from time to time. */
export function siteCall(): Call {
  return { now: new Date(), role: 'owner', actor: 'site' }
}
