import * as z from 'zod/mini'

/** The acts in the audit log: everything that an administrator can do. */
export const auditActions = [
  'signed in',
  'signed out',
  'wrong passwords',
  'flood noticed',
  'sessions ended',
  'password set',
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
  'backup restored',
  'copy sent',
  'drill passed',
  'drill failed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditRequest = z.object({ limit: z._default(z.int().check(z.positive()), 100) })

/** An act that changes nothing by itself. `subject` may hold no personal data. */
export const act = z.object({ action: z.enum(auditActions), subject: z._default(z.string(), '') })
