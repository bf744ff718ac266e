import { createHash } from 'node:crypto'
import type { APIContext } from 'astro'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { recordAct } from '#db/audit/operations.ts'
import { findEventTranslation } from '#db/event/translations.ts'
import { directionOf } from '#db/language/languages.ts'
import type { ShownField } from '#db/rsvp/fields.ts'
import { statusText } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { renderFamily, renderRoles, tableColumns } from '#site/islands/admin/StoredRsvpRow.tsx'
import { viewAddress } from '#site/lib/admin-page.ts'
import { formatLater, printNote } from '#site/lib/days.ts'
import { piecesInLanguage } from '#site/server/language.ts'
import { viewFrom } from '#site/server/responses-view.ts'
import { formatDay, fullDayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { encoded, streamed } from './rsvp-stream.ts'

const STYLE = `@page{size:landscape;margin:14mm}
body{margin:1rem;background:#fff;color:#000;font:8.5pt/1.4 system-ui,sans-serif}
h1,h2{font:500 14pt/1.2 serif}
table{width:100%;border-collapse:collapse;counter-reset:rows}
th,td{padding:1.5mm 2mm;border:.5pt solid #999;text-align:start;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
thead{display:table-header-group}
thead th{font-weight:700;overflow-wrap:normal}
tr{break-inside:avoid}
a{font-size:12pt}
@media print{body{margin:0}a{display:none}}`

const POLICY = `default-src 'none';style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}';frame-ancestors 'none';base-uri 'none';form-action 'none'`

/** All rows of the table as a static page to print, streamed: the administration shows one page of them at a time. */
export async function replyWithPrint(pages: AsyncGenerator<StoredRsvp[]>, context: APIContext): Promise<Response> {
  const { call, language } = context.locals
  const schedule = await getSchedule(call)
  const first = await findEventTranslation({ language }, call)
  await recordAct({ action: 'responses printed' }, call)
  const roles = { language: first.language, names: first.roles }
  return streamed(encoded(piecesInLanguage(language, documentOf(pages, schedule, context), roles)), context, {
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY },
  })
}

async function* documentOf(
  pages: AsyncGenerator<StoredRsvp[]>,
  { confirmed, timeZone: zone }: CurrentSchedule,
  { locals, url }: APIContext,
): AsyncGenerator<string> {
  const view = viewFrom(url.searchParams)
  const columns = tableColumns(view.week === undefined && confirmed)
  const top = renderToStaticMarkup(
    <>
      {/* Without a week this address means all of them, but that of the administration may mean the current one. */}
      <a href={viewAddress({ ...view, week: view.week ?? 'all' })}>{t('Back to the administration')}</a>
      <h1>{t('RSVP Responses')}</h1>
      {view.week !== undefined && <h2>{fullDayText(view.week)}</h2>}
      <p>{printNote(locals.call.now, zone)}</p>
    </>,
  )
  const titles = renderToStaticMarkup(
    <tr>
      {columns.map(({ name, title }) => (
        <th scope="col" key={name}>
          {t(title)}
        </th>
      ))}
    </tr>,
  )
  yield `<!doctype html><html lang="${locals.language}" dir="${directionOf(locals.language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${t('RSVP Responses')}</title><style>${STYLE}</style></head><body>${top}<table><thead>${titles}</thead><tbody>`
  let count = 0
  for await (const rows of pages) {
    count += rows.length
    yield renderToStaticMarkup(rows.map((row) => <Row key={row.id} row={row} columns={columns} zone={zone} />))
  }
  yield `</tbody></table><p>${plural(count, '{count} in this list', '{count} in this list')}</p></body></html>`
}

function Row({ row, columns, zone }: { row: StoredRsvp; columns: ShownField[]; zone: string }) {
  return (
    <tr>
      {columns.map((column) =>
        column.name === 'name' ? (
          <th scope="row" key={column.name}>
            {row.name}
            {row.firstVisit && ` ★ ${t('First visit')}`}
            {row.standing && ` (${t('Every week')})`}
          </th>
        ) : (
          <td key={column.name} dir="auto">
            {textOf(column, row, zone)}
          </td>
        ),
      )}
    </tr>
  )
}

function textOf({ name, text }: ShownField, row: StoredRsvp, zone: string): ReactNode {
  if (name === 'attending') return t(statusText(row))
  if (name === 'familyMembers') return renderFamily(row)
  if (name === 'volunteerSignups') return renderRoles(row)
  if (name === 'serviceDate') return formatDay(row.serviceDate, 'UTC')
  if (name !== 'createdAt') return text(row)
  const { createdAt, changedAt } = row
  const day = formatDay(createdAt, zone)
  return changedAt === null
    ? day
    : `${day}, ${t('changed {moment}', { moment: formatLater(changedAt, createdAt, zone) })}`
}
