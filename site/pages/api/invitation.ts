import { acceptInvitation } from '#db/access/door.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { newcomerOf, replyToInvitationForm, replyToSignIn } from '#site/server/calls/sign-in.ts'

export const POST = endpoint('POST /api/invitation', acceptInvitation, {
  fromHeaders: newcomerOf,
  form: replyToInvitationForm,
  respond: replyToSignIn,
})
