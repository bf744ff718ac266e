import * as z from 'zod/mini'
import {
  acceptedInvitation,
  account,
  accountChange,
  administrator,
  administratorChange,
  firstOwner,
  newAdministrator,
  newPasskey,
  passkey,
  proofRequest,
  signInRequest,
} from '#db/values/access.ts'
import { auditPage, auditRequest } from '#db/values/audit.ts'
import type { CallTable } from './call-description.ts'

const access = z.object({ mode: z.enum(['open', 'guarded']), signedIn: z.boolean() })
const passkeyOptions = z.record(z.string(), z.unknown())
const invitation = z.object({ id: z.int(), link: z.string() })

/** The part of the call table about administrators and how they sign in. */
export const accessCalls = {
  'GET /api/session': {
    summary: 'Whether the site is guarded, and whether this browser has signed in.',
    access: 'public-or-admin',
    reply: access,
  },
  'POST /api/session': {
    summary:
      'Signs in, with a passkey, or with an email and a password. An administrator who has no email yet leaves it out.',
    access: 'public-or-admin',
    input: signInRequest,
    form: true,
    status: 204,
  },
  'DELETE /api/session': { summary: 'Signs out.', access: 'public-or-admin', status: 204 },
  'POST /api/session/passkey': {
    summary:
      'The options for `navigator.credentials.get`, for a sign-in or a proof. Their challenge works once, in the same browser, within five minutes.',
    access: 'public-or-admin',
    reply: passkeyOptions,
  },
  'POST /api/session/proof': {
    summary: 'A proof: gives the password or a passkey once more. A sign-in is a proof, too.',
    access: 'reader',
    input: proofRequest,
    status: 204,
  },
  'DELETE /api/sessions': { summary: 'Signs the caller out in all other browsers.', access: 'reader', status: 204 },
  'GET /api/account': {
    summary: 'How the caller signs in, and where they are signed in.',
    access: 'reader',
    reply: account,
  },
  'PATCH /api/account': {
    summary:
      'Changes the name, email or password of the caller, or what they get by mail. All but the mail need a proof. A new password signs the caller out in all other browsers.',
    access: 'reader',
    input: accountChange,
    reply: account,
  },
  'POST /api/passkeys/options': {
    summary:
      'The options for `navigator.credentials.create`: for the caller, for the `key` of an invitation, or for the first owner of an open site.',
    access: 'public-or-admin',
    needsProof: true,
    input: z.object({ key: z.optional(z.string()), name: z.optional(z.string()), email: z.optional(z.string()) }),
    reply: passkeyOptions,
  },
  'POST /api/passkeys': {
    summary: 'Adds a passkey for the caller.',
    access: 'reader',
    needsProof: true,
    input: newPasskey,
    status: 201,
    reply: passkey,
  },
  'DELETE /api/passkeys/[id]': {
    summary: 'Removes a passkey of the caller; 409 if it is the only way to sign in.',
    access: 'reader',
    needsProof: true,
    status: 204,
  },
  'POST /api/guard': {
    summary:
      'Guards an open site: creates its first owner and signs them in. 403 from another computer, 409 if the site is guarded already.',
    access: 'public-or-admin',
    input: firstOwner,
    form: true,
    status: 204,
  },
  'POST /api/invitation': {
    summary: 'Accepts an invitation and signs in. The link works once, for seven days.',
    access: 'public',
    input: acceptedInvitation,
    form: true,
    status: 204,
  },
  'GET /api/administrators': {
    summary: 'The administrators, in the order in which they were invited.',
    access: 'owner',
    reply: z.array(administrator),
  },
  'POST /api/administrators': {
    summary:
      'Invites an administrator: `link` works once, for seven days, and is not shown again. 409 while the site is open.',
    access: 'owner',
    needsProof: true,
    input: newAdministrator,
    status: 201,
    reply: invitation,
  },
  'PATCH /api/administrators/[id]': {
    summary:
      'Changes an administrator. A new role ends their sessions, a new email their invitation. When an owner gets a lesser role, all open invitations end. 409 if no owner would be left.',
    access: 'owner',
    needsProof: true,
    input: z.omit(z.object(administratorChange.shape), { id: true }),
    reply: administrator,
  },
  'POST /api/administrators/[id]/invitation': {
    summary:
      'Makes a new link for an administrator who has lost the last one or can no longer sign in. The earlier link no longer works.',
    access: 'owner',
    needsProof: true,
    status: 201,
    reply: invitation,
  },
  'DELETE /api/administrators/[id]': {
    summary:
      'Removes an administrator and ends their sessions; if it is an owner, also all open invitations. The audit keeps the name. 409 for the last owner.',
    access: 'owner',
    needsProof: true,
    status: 204,
  },
  'GET /api/audit': {
    summary:
      'What administrators did, newest first, and who, by `name`. For another page, send the `next` of this one as `before`.',
    access: 'owner',
    input: auditRequest,
    reply: auditPage,
  },
} as const satisfies CallTable
