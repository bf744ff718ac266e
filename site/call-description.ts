import type * as z from 'zod/mini'

/** Who may make a call. `public-or-admin`: everyone, and the reply depends on who it is. In open mode that is all one. */
export type Access = 'public' | 'administrator' | 'public-or-admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type CallDescription = {
  summary: string
  /** Only administrators, unless it says otherwise. */
  access?: Exclude<Access, 'administrator'>
  /** What is sent: the query of a GET, otherwise JSON. What else the request says is in `headers`. */
  input?: z.ZodMiniType
  /** What the body is where it is neither JSON nor a form: its types, and its bytes at most. Other bodies have 64 KB. */
  upload?: { types: 'image/*'; maximum: number }
  /** The body can be a form as well, as browsers post it without JavaScript. */
  form?: true
  /** Request headers that mean something here, and what. */
  headers?: Record<string, string>
  /** The status of a success, if it is not 200. */
  status?: 201 | 204
  /** The JSON of a success; where it is missing the reply has no body, or `content` says what is in it. */
  reply?: z.ZodMiniType
  /** What an administrator gets instead. */
  adminReply?: z.ZodMiniType
  content?: 'text/csv' | 'text/html'
}
