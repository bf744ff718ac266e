import * as z from 'zod/mini'
import type { Access, CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { code, table } from './markdown.ts'

/** Of a JSON schema, what is written of it. */
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

const who: Record<Access, string> = {
  public: 'everyone',
  administrator: 'the administrator',
  'public-or-admin': 'everyone; the reply depends on who asks',
}

/** `docs/http.md` */
export function httpPage(): string {
  return `# The HTTP calls

<!-- Written by \`npm run docs\` from site/calls.ts. -->

Everything the pages do is an HTTP call with JSON, and errors are [problem details](https://www.rfc-editor.org/rfc/rfc9457). In open mode everyone who can reach the site may make all of them. In guarded mode a call without the session it needs gets 401. A change that a browser sends from another site is refused. A \`GET\` can be a \`HEAD\`; another method gets 405 and \`Allow\`.

\`\`\`sh
curl -c jar --json '{"password":"…"}' https://rsvp.example.org/api/session
curl -b jar https://rsvp.example.org/api/rsvps?limit=100
\`\`\`

${Object.entries(calls).map(section).join('\n')}`
}

function section([name, call]: [string, CallDescription]): string {
  const facts = [
    `- Who: ${who[call.access]}.`,
    `- Reply: ${call.status}${replyText(call)}.`,
    ...(call.upload ? [`- Body: ${code(call.upload.types)}, at most ${call.upload.maximum / 1024 / 1024} MB.`] : []),
    ...(call.form ? ['- The body can be a form as well.'] : []),
    ...Object.entries(call.headers ?? {}).map(([header, meaning]) => `- \`${header}\`: ${meaning}.`),
  ]
  return `## ${code(name.replace(/\[(\w+)\]/, '{$1}'))}

${call.summary}

${facts.join('\n')}
${inputTable(name, call)}`
}

function replyText({ reply, adminReply, content }: CallDescription): string {
  if (reply === undefined) return content === undefined ? '' : `, ${code(content)}`
  const forAdministrator = adminReply && `; for the administrator ${textOf(shapeOf(adminReply, 'output'))}`
  return `, ${textOf(shapeOf(reply, 'output'))}${forAdministrator ?? ''}`
}

function inputTable(name: string, { input }: CallDescription): string {
  if (input === undefined) return ''
  const { properties = {}, required = [] } = shapeOf(input, 'input')
  const { properties: parsed = {} } = shapeOf(input, 'output')
  const rows = Object.entries(properties).map(([field, shape]) => [
    code(field),
    valueText(shape, parsed[field]),
    required.includes(field) ? 'yes' : '',
  ])
  return `\n${table([name.startsWith('GET') ? 'query' : 'field', 'value', 'required'], rows)}`
}

function shapeOf(schema: z.ZodMiniType, io: 'input' | 'output'): Shape {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape
}

/** A list may be counted before its items are looked at: then only what is parsed tells what they are. */
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
