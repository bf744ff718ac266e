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

/** A sign-in sends a password. Whether it is long enough is not checked here: that would tell visitors the rule. */
const givenPassword = z.string(noPassword).check(
  z.refine((password) => password !== '', noPassword),
  atMost(PASSWORD_MAXIMUM, `A password has at most ${PASSWORD_MAXIMUM} characters.`),
)

/** What the authenticator returned, as JSON (W3C Web Authentication, level 3); the library checks the rest. */
const passkeyResponse = z.looseObject({ id: z.string() }, 'Send what the browser returned for the passkey.')

/** One of the two. */
const proof = {
  password: z.optional(givenPassword),
  passkey: z.optional(passkeyResponse),
}

export const signInRequest = z.object({
  ...proof,
  /** Left out with a passkey, and by an administrator who has never given one. */
  email: absentWhenEmpty(email),
})

export const proofRequest = z.object(proof)

const passkeyName = storableText('The name of the passkey', 60)

/** How a new administrator will sign in: one of the two. */
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
  /** Null for one who has only ever been known by a password. */
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

/** What makes an open site guarded: its first owner. */
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
  /** The one that asks. */
  isThis: z.boolean(),
})

/** What a signed-in administrator sees of themselves. */
export const account = z.extend(z.omit(administrator, { id: true, seenAt: true, invitedUntil: true }), {
  hasPassword: z.boolean(),
  /** What the person gets by mail. */
  mail,
  passkeys: z.array(passkey),
  /** The one used last first. */
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
