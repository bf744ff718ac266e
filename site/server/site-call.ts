import type { Call } from '#db/operation.ts'

/** What the site does by itself, at this moment. */
export function siteCall(): Call {
  return { now: new Date(), administrator: true, actor: 'site' }
}
