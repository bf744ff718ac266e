import type { Compose } from '#db/mail/message.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { siteCall } from '#site/server/site-call.ts'

export const compose: Compose = async ({ rsvpId }) => {
  if (rsvpId === null) return undefined
  const { email } = await getRsvp({ id: String(rsvpId) }, siteCall())
  return { to: email, subject: 'We have your RSVP', text: 'Thank you.', html: '<p>Thank you.</p>' }
}
