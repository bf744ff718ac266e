import type * as z from 'zod/mini'
import type { CallName, calls } from './calls.ts'

type Table = typeof calls
type Filled<Name extends string> = Name extends `${infer Start}[${infer Field}]${infer End}`
  ? `${Start}${Field extends 'id' ? IdIn<Start> : string}${End}`
  : Name
/** The id of a passkey is text: its authenticator chose it. */
type IdIn<Start extends string> = Start extends `${string}/passkeys/` ? string : number
type AddressOf<Name extends string> = Filled<Name> | `${Filled<Name>}?${string}`

/** A call as a client writes it, with its id or date and an optional query, e.g. `PATCH /api/rsvps/12`. */
export type CallAddress = { [Name in CallName]: AddressOf<Name> }[CallName]

/** The paths of all GET calls, with an optional query. */
export type ReadPath = {
  [Name in CallName]: Name extends `GET ${infer Path}` ? Path | `${Path}?${string}` : never
}[CallName]

export type CallAt<Address extends string> = {
  [Name in CallName]: Address extends AddressOf<Name> ? Name : never
}[CallName]

/** The JSON that a call replies with. */
export type ReplyOf<Name extends CallName> = Table[Name] extends { reply: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : unknown

/** The input fields of a call; only the server checks their values. */
export type BodyOf<Name extends CallName> = Table[Name] extends { input: infer Schema extends z.ZodMiniType }
  ? { [Field in keyof z.input<Schema>]?: unknown }
  : never

export type HeadersOf<Name extends CallName> = Table[Name] extends { headers: infer Headers }
  ? { [Header in keyof Headers]?: string }
  : never
