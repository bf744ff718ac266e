import type { Call } from '#db/operation.ts'

export function siteCall(): Call {
  return { now: new Date(), role: 'owner', actor: 'site' }
}
