import type { Call } from '#db/operation.ts'

/** A call that the site itself makes, now. */
export function siteCall(): Call {
  return { now: new Date(), administrator: true, actor: 'site' }
}
