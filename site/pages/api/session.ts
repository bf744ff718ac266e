import type { APIRoute } from 'astro'
import { getAccess, signIn, signOut } from '#db/access/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { isForm } from '#site/server/calls/media-type.ts'
import { answerSignedIn, answerSignedOut, answerSignInForm, browserOf } from '#site/server/calls/sign-in.ts'

const signInByJson = endpoint(signIn, { access: 'either', also: browserOf, answer: answerSignedIn })

export const GET = endpoint((_query, call) => getAccess(call), { access: 'either' })
export const HEAD = GET
/** JSON, or the form of the sign-in page. */
export const POST: APIRoute = (context) => (isForm(context.request) ? answerSignInForm(context) : signInByJson(context))
export const DELETE = endpoint(signOut, { access: 'either', also: browserOf, answer: answerSignedOut })
