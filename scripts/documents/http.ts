import * as z from 'zod/mini'
import type { Access, CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'

/** The parts of a JSON schema that are read here. */
type Shape = {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
}

const LIST = 'list'

/** More choices of a field are only counted. */
const CHOICES_MAXIMUM = 8

/** Longer lists of fields are written once; other calls say how theirs differ. */
const REPEATED_MAXIMUM = 40

const who: Record<Access, string> = {
  public: 'everyone',
  'public-or-admin': 'everyone',
  reader: 'readers',
  clerk: 'clerks',
  owner: 'owners',
}

/** `docs/http.md` */
export function httpPage(): string {
  const sections = Object.entries(calls).map(([name, call]) => section(code(name.replace(/\[(\w+)\]/, '{$1}')), call))
  return `# HTTP API

<!-- Written by \`npm run docs\` from site/calls.ts. -->

The pages use these calls, with JSON. Errors are [problem details](https://www.rfc-editor.org/rfc/rfc9457) in the language of the request. In open mode, anyone who can reach the site may make every call. In guarded mode, a call without the session it needs gets 401, and a call that the caller's role does not allow gets 403. Clerks may do what readers may, owners everything; unless a call says otherwise, it is for clerks. A call with a proof gets 403 with \`errors\` at \`proof\`, unless the password or a passkey was given within the last ten minutes. Changes that a browser sends from another site are refused. A \`PATCH\` replaces the fields that are sent and keeps the others. Every \`GET\` also works as \`HEAD\`; other methods get 405 and \`Allow\`. Fields are text unless a type is given in brackets; an asterisk marks required fields.

\`\`\`sh
curl -c jar --json '{"password":"…"}' https://rsvp.example.org/api/session
curl -b jar https://rsvp.example.org/api/rsvps?limit=100
\`\`\`

${sections.join('\n')}`
}

/** The description of each field by its name. */
type Fields = Map<string, string>

const described: { heading: string; fields: Fields }[] = []

/** The fields of a call, or how they differ from those of an earlier call, if that is much shorter. */
function fieldsText(fields: Fields, heading: string): string {
  const whole = Array.from(fields.values()).join(', ')
  if (whole.length <= REPEATED_MAXIMUM) return whole
  const differences = described.map((earlier) => difference(fields, earlier.fields, earlier.heading))
  const [shortest] = differences.sort((left, right) => left.length - right.length)
  if (shortest !== undefined && shortest.length < whole.length / 2) return shortest
  described.push({ heading, fields })
  return whole
}

function difference(fields: Fields, earlier: Fields, heading: string): string {
  const added = Array.from(fields).flatMap(([field, text]) => (earlier.get(field) === text ? [] : [text]))
  const missing = Array.from(earlier.keys()).filter((field) => !fields.has(field))
  const parts = [`as for ${heading}`]
  if (added.length > 0) parts.push(`with ${added.join(', ')}`)
  if (missing.length > 0) parts.push(`without ${missing.map(code).join(', ')}`)
  return parts.join(', ')
}

function section(heading: string, call: CallDescription): string {
  const { access = 'clerk', needsProof, upload, headers = {} } = call
  const facts = [
    access !== 'clerk' || needsProof ? `Who: ${who[access]}${needsProof ? ', with a proof' : ''}` : '',
    sentText(heading, call),
    upload ? `Body: ${code(upload.types)}, at most ${upload.maximum / 1024 / 1024} MB` : '',
    call.form ? 'The body can also be a form' : '',
    ...Object.entries(headers).map(([header, meaning]) => `${code(header)}: ${meaning}`),
    `Reply: ${call.status ?? 200}${replyText(heading, call)}`,
  ]
  const lines = facts.filter((fact) => fact !== '').map((fact) => `- ${fact}.\n`)
  return `## ${heading}\n\n${call.summary}\n\n${lines.join('')}`
}

function replyText(heading: string, { reply, adminReply, content }: CallDescription): string {
  const textOfReply = (schema: z.ZodMiniType) => textOf(shapeOf(schema, 'output'), heading)
  if (reply === undefined) return content === undefined ? '' : `, ${code(content)}`
  return `, ${textOfReply(reply)}${adminReply ? `; for the administrator ${textOfReply(adminReply)}` : ''}`
}

function sentText(heading: string, { input }: CallDescription): string {
  if (input === undefined) return ''
  const { properties = {}, required = [] } = shapeOf(input, 'input')
  const { properties: parsed = {} } = shapeOf(input, 'output')
  const fields: Fields = new Map()
  for (const [field, shape] of Object.entries(properties)) {
    // If a schema counts the items before it parses them, only its output describes them.
    const value = textOf(shape, heading) === LIST ? textOf(parsed[field] ?? shape, heading) : textOf(shape, heading)
    const mark = required.includes(field) ? '*' : ''
    fields.set(field, `${code(field)}${mark}${value === 'string' ? '' : ` (${value})`}`)
  }
  const what = heading.startsWith('`GET') ? 'Query' : 'Fields'
  return fields.size === 0 ? '' : `${what}: ${fieldsText(fields, heading)}`
}

function shapeOf(schema: z.ZodMiniType, io: 'input' | 'output'): Shape {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape
}

/** A value in a few words, e.g. `{ id, name }[]`. */
function textOf({ type, enum: choices, const: only, anyOf, items, properties }: Shape, heading: string): string {
  if (choices !== undefined && choices.length > CHOICES_MAXIMUM) return `one of ${choices.length} texts`
  if (choices !== undefined) return choices.map((choice) => code(JSON.stringify(choice))).join(', ')
  if (only !== undefined) return code(JSON.stringify(only))
  if (anyOf !== undefined) return Array.from(new Set(anyOf.map((shape) => textOf(shape, heading)))).join(' or ')
  if (type === 'array')
    return items === undefined || Object.keys(items).length === 0 ? LIST : `list of ${textOf(items, heading)}`
  if (properties !== undefined)
    return `{ ${fieldsText(new Map(Object.keys(properties).map((field) => [field, code(field)])), heading)} }`
  return [type ?? 'text'].flat().join(' or ')
}

export function code(text: string): string {
  return text && `\`${text}\``
}
