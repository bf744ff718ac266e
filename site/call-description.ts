import type * as z from 'zod/mini'
import type { Role } from '#db/values/roles.ts'

/**
 * The lowest role that a caller needs; in open mode every caller is an owner. `public-or-admin` calls are public, but
 * their reply depends on the caller.
 */
export type Access = 'public' | 'public-or-admin' | Role

/** Calls by method and route, e.g. `PATCH /api/rsvps/[id]`. */
export type CallTable = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`, CallDescription>

export type CallDescription = {
  summary: string
  /** Clerks, if left out. */
  access?: Exclude<Access, 'clerk'>
  /** Refused unless the caller has given the password or a passkey within the last ten minutes. */
  needsProof?: true
  /** The query of a GET, otherwise JSON. */
  input?: z.ZodMiniType
  /** A body that is neither JSON nor a form; `maximum` is in bytes. Other bodies may have 64 KB. */
  upload?: { types: 'image/*'; maximum: number }
  /** Also accepts a form, as browsers post it without JavaScript. */
  form?: true
  /** Request headers and what each means. */
  headers?: Record<string, string>
  /** The status of a success, if it is not 200. */
  status?: 201 | 204
  /** The JSON of a success. Without it the reply has no body, or is of the type `content`. */
  reply?: z.ZodMiniType
  /** The JSON for clerks and owners, if it differs. */
  adminReply?: z.ZodMiniType
  content?: 'text/csv' | 'application/octet-stream'
}
