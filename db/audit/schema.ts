import * as z from 'zod/mini'
import { absentWhenEmpty, idText, pageSize } from '#db/values/schemas.ts'

/** The acts in the audit log: everything that an administrator can do. */
export const auditActions = [
  'signed in',
  'signed out',
  'wrong passwords',
  'flood noticed',
  'sessions ended',
  'password set',
  'site guarded',
  'code made',
  'administrator invited',
  'administrator joined',
  'administrator changed',
  'administrator removed',
  'passkey added',
  'passkey removed',
  'passkey refused',
  'response added',
  'response changed',
  'response deleted',
  'response restored',
  'responses erased',
  'responses exported',
  'responses imported',
  'responses printed',
  'responses made anonymous',
  'responses merged',
  'samples added',
  'samples removed',
  'features changed',
  'event changed',
  'event translated',
  'event translation removed',
  'event language changed',
  'schedule changed',
  'turnout counted',
  'turnout removed',
  'turnout skipped',
  'role added',
  'role changed',
  'settings changed',
  'church changed',
  'backup made',
  'backup downloaded',
  'backup restored',
  'copy sent',
  'drill passed',
  'drill failed',
  'audit exported',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Whose acts, and which. */
export const auditFilter = z.object({
  /** The id or the name of an administrator, also of a removed one; or `terminal`, `open mode`, `visitor` or `site`. */
  who: absentWhenEmpty(z.string()),
  action: absentWhenEmpty(z.enum(auditActions, 'There is no such act in the audit.')),
})
export type AuditFilter = z.output<typeof auditFilter>

/** A page, newest first: at most `limit` entries, with ids below `before`. */
export const auditRequest = z.extend(auditFilter, {
  limit: z._default(pageSize(200), 50),
  before: z.optional(idText),
})

const auditEntry = z.object({
  id: z.int(),
  /** ISO 8601 in UTC. */
  at: z.string(),
  administratorId: z.nullable(z.int()),
  /** Of the administrator, also of a removed one; null for the terminal, open mode, visitors and the site itself. */
  name: z.nullable(z.string()),
  actor: z.string(),
  action: z.enum(auditActions),
  subject: z.string(),
  /** The subject, with the name of an administrator in place of the number. */
  about: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const auditPage = z.object({
  entries: z.array(auditEntry),
  /** The `before` of the next page; null on the last one. */
  next: z.nullable(z.int()),
  /** Everyone who is or was an administrator. */
  people: z.array(z.object({ id: z.int(), name: z.string(), removed: z.boolean() })),
})
export type AuditPage = z.output<typeof auditPage>
