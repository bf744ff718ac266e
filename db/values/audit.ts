import * as z from 'zod/mini'
import { idText } from './schemas.ts'

/** The acts in the audit log, everything that an administrator can do, with their names on the screen. */
export const auditTexts = {
  'signed in': 'Signed in',
  'signed out': 'Signed out',
  'wrong passwords': 'Wrong passwords',
  'sessions ended': 'Sessions ended',
  'password set': 'Password set',
  'site guarded': 'Site guarded',
  'administrator invited': 'Administrator invited',
  'administrator joined': 'Invitation accepted',
  'administrator changed': 'Administrator changed',
  'administrator removed': 'Administrator removed',
  'passkey added': 'Passkey added',
  'passkey removed': 'Passkey removed',
  'standing RSVP kept': 'Every week kept',
  'standing RSVP ended': 'Every week ended',
  'response added': 'Response added',
  'response changed': 'Response changed',
  'response deleted': 'Response deleted',
  'response restored': 'Response restored',
  'responses erased': 'Responses erased for good',
  'responses exported': 'Responses downloaded',
  'responses imported': 'Responses imported',
  'responses printed': 'Responses printed',
  'responses made anonymous': 'Names and contact details removed',
  'responses merged': 'Responses merged',
  'samples added': 'Samples added',
  'samples removed': 'Samples removed',
  'features changed': 'Features changed',
  'event changed': 'Event changed',
  'event translated': 'Event translated',
  'event translation removed': 'Translation of the event removed',
  'event language changed': 'Language of the event changed',
  'schedule changed': 'Schedule changed',
  'turnout counted': 'People who came recorded',
  'turnout removed': 'People who came removed',
  'turnout skipped': 'People who came not counted',
  'role added': 'Role added',
  'role changed': 'Role changed',
  'prayer request changed': 'Prayer request changed',
  'settings changed': 'Settings changed',
  'church changed': 'Church details changed',
  'backup made': 'Backup made',
  'backup downloaded': 'Backup downloaded',
  'backup restored': 'Backup restored',
  'messages queued again': 'Messages queued again',
  'test message sent': 'Test message sent',
} as const
export type AuditAction = keyof typeof auditTexts
const auditActions = Object.keys(auditTexts) as [AuditAction, ...AuditAction[]]

/** A page, newest first, with ids below `before`. */
export const auditRequest = z.object({ before: z.optional(idText) })

const auditEntry = z.object({
  id: z.int(),
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** The name of the administrator, even if removed; null for the terminal, open mode, visitors and the site itself. */
  name: z.nullable(z.string()),
  actor: z.string(),
  action: z.enum(auditActions),
  /** The subject of the act, e.g. the number of a response, or the name of an administrator. */
  about: z.string(),
})

export const auditPage = z.object({
  entries: z.array(auditEntry),
  /** The `before` of the next page; null on the last one. */
  next: z.nullable(z.int()),
})
export type AuditPage = z.output<typeof auditPage>
