import { guardSite } from '#db/access/first-owner.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { guardianOf, replyToGuardForm, replyToSignIn } from '#site/server/calls/sign-in.ts'

export const POST = endpoint('POST /api/guard', guardSite, {
  fromHeaders: guardianOf,
  form: replyToGuardForm,
  respond: replyToSignIn,
})
