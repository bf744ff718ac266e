import { DrizzleQueryError } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Allowance } from './config/setting-values.ts'
import { UserError } from './errors.ts'

/** Who calls an operation, and when. The front ends make it; operations read it and know nothing else of them. */
export type Call = {
  now: Date
  /** May see and change everything. */
  administrator: boolean
  /** Who it is, for the audit: `session 12`, `terminal`, `open mode`, `visitor` or `site`. */
  actor: string
  /** No password is set: whoever reaches the site is shown everything. */
  open?: boolean
  /** Where it comes from, as far as limits go: an IPv4 address, or the first half of an IPv6 address. */
  network?: string | undefined
  /** What the browser got when somebody signed in with it before. */
  device?: string | undefined
  /** The token of the session that it belongs to. */
  token?: string | undefined
  /** How many answers one network may send; without it as many as it likes. */
  allowance?: Allowance | undefined
  /** Names one submission: the same key again stores nothing twice. */
  idempotencyKey?: string | undefined
  /** How long the form was shown before it was sent, in ms, where that is known. */
  formAge?: number | undefined
  /** So many come from everywhere at this moment that it looks like a flood. */
  flooded?: boolean
  /** Store only if nothing is stored yet. */
  onlyIfNone?: boolean
  /** Change only what still has one of these revisions; `any` for whatever is stored. */
  onlyIfRevision?: number[] | 'any' | undefined
}

/** A verb of the product. It takes anything, parses it once with its schema, then runs. */
export type Operation<Output> = (input: unknown, call: Call) => Promise<Output>

/**
 * Ties a schema to the function that may only ever see parsed input.
 * @throws UserError 'invalid' with a message per field when the input does not fit the schema.
 */
export function operation<Schema extends z.ZodMiniType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>, call: Call) => Promise<Output>,
): Operation<Output> {
  return async (input, call) => {
    const parsed = schema.safeParse(input)
    if (!parsed.success) throw invalid(parsed.error.issues)
    try {
      return await run(parsed.data, call)
    } catch (error) {
      // Drizzle's own error holds the bound values, which are somebody's data. What it wraps is ours.
      throw error instanceof DrizzleQueryError ? error.cause : error
    }
  }
}

function invalid(issues: readonly z.core.$ZodIssue[]): UserError {
  const fields = issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  return new UserError('invalid', 'Some of this does not fit. Correct it and send it again.', fields)
}
