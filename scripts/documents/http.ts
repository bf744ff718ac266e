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

/** Longer descriptions are written once; calls that repeat them refer to the first. */
const REPEATED_MAXIMUM = 40

const who: Record<Access, string> = {
  public: 'everyone',
  'public-or-admin': 'everyone; the reply depends on the caller',
  reader: 'readers',
  clerk: 'clerks',
  owner: 'owners',
}

/** `docs/http.md` */
export function httpPage(): string {
  return `# HTTP API

<!-- Written by \`npm run docs\` from site/calls.ts. -->

Everything the pages do is an HTTP call with JSON, and errors are [problem details](https://www.rfc-editor.org/rfc/rfc9457). In open mode anyone who can reach the site may make all calls. In guarded mode a call without the session it needs gets 401, and one that the role of the caller does not allow 403; clerks may do what readers may, owners everything. A call without another word on it is for clerks. Where a proof is needed, one without the password or a passkey given within the last ten minutes gets 403 with \`errors\` at \`proof\`. Changes that a browser sends from another site are refused. Every \`GET\` also works as \`HEAD\`; other methods get 405 and \`Allow\`. Fields are text unless another type is given in brackets; an asterisk marks required ones.

\`\`\`sh
curl -c jar --json '{"password":"…"}' https://rsvp.example.org/api/session
curl -b jar https://rsvp.example.org/api/rsvps?limit=100
\`\`\`

${sections().join('\n')}`
}

function sections(): string[] {
  const places = new Map<string, string>()
  return Object.entries(calls).map(([name, call]) => {
    const heading = code(name.replace(/\[(\w+)\]/, '{$1}'))
    const once = (text: string) => {
      const place = places.get(text)
      if (place !== undefined) return `as for ${place}`
      if (text.length > REPEATED_MAXIMUM) places.set(text, heading)
      return text
    }
    return section(heading, call, once)
  })
}

function section(heading: string, call: CallDescription, once: (text: string) => string): string {
  const facts = [
    ...(call.access || call.needsProof
      ? [`Who: ${who[call.access ?? 'clerk']}${call.needsProof ? ', with a proof' : ''}`]
      : []),
    ...sentText(heading, call, once),
    ...(call.upload ? [`Body: ${code(call.upload.types)}, at most ${call.upload.maximum / 1024 / 1024} MB`] : []),
    ...(call.form ? ['The body can also be a form'] : []),
    ...Object.entries(call.headers ?? {}).map(([header, meaning]) => `${code(header)}: ${once(meaning)}`),
    `Reply: ${call.status ?? 200}${replyText(call, once)}`,
  ]
  return `## ${heading}\n\n${call.summary}\n\n${facts.map((fact) => `- ${fact}.\n`).join('')}`
}

function replyText({ reply, adminReply, content }: CallDescription, once: (text: string) => string): string {
  if (reply === undefined) return content === undefined ? '' : `, ${code(content)}`
  const forAdministrator = adminReply && `; for the administrator ${once(textOf(shapeOf(adminReply, 'output')))}`
  return `, ${once(textOf(shapeOf(reply, 'output')))}${forAdministrator ?? ''}`
}

function sentText(heading: string, { input }: CallDescription, once: (text: string) => string): string[] {
  if (input === undefined) return []
  const { properties = {}, required = [] } = shapeOf(input, 'input')
  const { properties: parsed = {} } = shapeOf(input, 'output')
  const fields = Object.entries(properties).map(([field, shape]) => {
    const value = valueText(shape, parsed[field])
    return `${code(field)}${required.includes(field) ? '*' : ''}${value === 'string' ? '' : ` (${value})`}`
  })
  return fields.length === 0 ? [] : [`${heading.startsWith('`GET') ? 'Query' : 'Fields'}: ${once(fields.join(', '))}`]
}

function shapeOf(schema: z.ZodMiniType, io: 'input' | 'output'): Shape {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape
}

/** If a schema counts the items before it parses them, only its output describes them. */
function valueText(sent: Shape, parsed: Shape = sent): string {
  return textOf(sent) === LIST ? textOf(parsed) : textOf(sent)
}

/** A value in a few words, e.g. `{ id, name }[]`. */
function textOf({ type, enum: choices, const: only, anyOf, items, properties }: Shape): string {
  if (choices !== undefined) return choices.map((choice) => code(JSON.stringify(choice))).join(', ')
  if (only !== undefined) return code(JSON.stringify(only))
  if (anyOf !== undefined) return Array.from(new Set(anyOf.map(textOf))).join(' or ')
  if (type === 'array')
    return items === undefined || Object.keys(items).length === 0 ? LIST : `list of ${textOf(items)}`
  if (properties !== undefined) return `{ ${Object.keys(properties).map(code).join(', ')} }`
  return [type ?? 'text'].flat().join(' or ')
}

export function code(text: string): string {
  return text && `\`${text}\``
}
