import type * as z from 'zod/mini'

/** `public-or-admin`: for everyone, with another reply for administrators. In open mode every caller is one. */
export type Access = 'public' | 'administrator' | 'public-or-admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type CallDescription = {
  summary: string
  /** By default only administrators. */
  access?: Exclude<Access, 'administrator'>
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
  /** What an administrator gets instead. */
  adminReply?: z.ZodMiniType
  content?: 'text/csv' | 'text/html'
}
