import { acceptInvitation } from '#db/access/invitations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { browserOf, replyToInvitationForm, replyToSignIn } from '#site/server/calls/sign-in.ts'

export const POST = endpoint('POST /api/invitation', acceptInvitation, {
  fromHeaders: browserOf,
  form: replyToInvitationForm,
  respond: replyToSignIn,
})
