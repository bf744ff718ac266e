import { getAccess } from '#db/access/setup.ts'
import { signIn, signOut } from '#db/access/sign-in.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { browserOf, replyToSignIn, replyToSignInForm, replyToSignOut, tokenOf } from '#site/server/calls/sign-in.ts'

export const GET = endpointWithoutInput('GET /api/session', getAccess, {})
export const POST = endpoint('POST /api/session', signIn, {
  fromHeaders: browserOf,
  form: replyToSignInForm,
  respond: replyToSignIn,
})
export const DELETE = endpoint('DELETE /api/session', signOut, { fromHeaders: tokenOf, respond: replyToSignOut })
