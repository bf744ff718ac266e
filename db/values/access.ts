import * as z from 'zod/mini'
import { mailChoices } from './mail.ts'
import { prayerAccess } from './prayer.ts'
import { roles } from './roles.ts'
import {
  absentWhenEmpty,
  atMost,
  emailAddress,
  idText,
  newPassword,
  PASSWORD_MAXIMUM,
  personName,
  storableText,
} from './schemas.ts'

const email = emailAddress.check(z.toLowerCase())
const role = z.enum(roles, `The role is one of ${roles.join(', ')}.`)
const mail = z.array(z.enum(mailChoices, `What comes by mail is any of ${mailChoices.join(', ')}.`))
const seesContacts = z.boolean('Say with true or false whether contact data is shown.')
const prayers = z.enum(prayerAccess, `The access to prayer requests is one of ${prayerAccess.join(', ')}.`)

export const noPassword = 'Type the password.'

/** The password of a sign-in. Its least length is not checked here, which would reveal the rule to visitors. */
const givenPassword = z.string(noPassword).check(
  z.refine((password) => password !== '', noPassword),
  atMost(PASSWORD_MAXIMUM, `A password has at most ${PASSWORD_MAXIMUM} characters.`),
)

/** What the authenticator returned, as JSON (W3C Web Authentication, level 3); the library checks the rest. */
const passkeyResponse = z.looseObject({ id: z.string() }, 'Send what the browser returned for the passkey.')

/** A password or a passkey. */
const proof = {
  password: z.optional(givenPassword),
  passkey: z.optional(passkeyResponse),
}

export const signInRequest = z.object({
  ...proof,
  /** Left out with a passkey, and by an administrator without an email. */
  email: absentWhenEmpty(email),
})

export const proofRequest = z.object(proof)

const passkeyName = storableText('The name of the passkey', 60)

/** How a new administrator will sign in: by a password or a passkey. */
const credential = {
  password: absentWhenEmpty(newPassword),
  passkey: z.optional(passkeyResponse),
  passkeyName: absentWhenEmpty(passkeyName),
}

const chosen = z.object({ name: personName, email, role, seesContacts, prayers })

export const newAdministrator = z.object({
  ...chosen.shape,
  seesContacts: z._default(seesContacts, false),
  prayers: z._default(prayers, 'none'),
})

export const administratorChange = z
  .extend(z.partial(chosen), { id: idText })
  .check(z.refine(({ id: _, ...change }) => Object.keys(change).length > 0, 'Name at least one thing to change.'))

/** All moments are ISO 8601 in UTC. */
export const administrator = z.object({
  id: z.int(),
  name: z.string(),
  /** Null for an owner who has never given one. */
  email: z.nullable(z.string()),
  role,
  /** Whether a reader sees email addresses, phone numbers and messages. */
  seesContacts,
  /** Which prayer requests the person reads; an owner chooses it. */
  prayers,
  seenAt: z.nullable(z.string()),
  /** Until when the invitation link works; null once it is accepted. */
  invitedUntil: z.nullable(z.string()),
})
export type Administrator = z.output<typeof administrator>

/** The first owner, who guards an open site. */
export const firstOwner = z.object({
  name: personName,
  email,
  ...credential,
})

export const acceptedInvitation = z.object({ key: z.string('Open the invitation link once more.'), ...credential })

export const newPasskey = z.object({ name: passkeyName, passkey: passkeyResponse })

/** `id` is the credential id, base64url. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
})

/** A browser in which someone is signed in. */
export const session = z.object({
  id: z.int(),
  /** E.g. `Firefox, Android`; empty if unknown. */
  browser: z.string(),
  createdAt: z.string(),
  usedAt: z.string(),
  /** Whether it is the session of this request. */
  isThis: z.boolean(),
})

/** What a signed-in administrator sees of themselves. */
export const account = z.extend(z.omit(administrator, { id: true, seenAt: true, invitedUntil: true }), {
  hasPassword: z.boolean(),
  /** What the person gets by mail. */
  mail,
  passkeys: z.array(passkey),
  /** The most recently used first. */
  sessions: z.array(session),
})
export type Account = z.output<typeof account>

export const accountChange = z
  .object({
    name: z.optional(personName),
    email: z.optional(email),
    password: z.optional(newPassword),
    mail: z.optional(mail),
  })
  .check(z.refine((change) => Object.keys(change).length > 0, 'Name at least one thing to change.'))
