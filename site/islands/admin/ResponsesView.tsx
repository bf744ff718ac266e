import { memo } from 'react'
import type { TablePage } from '#db/values/rsvp.ts'
import type { VolunteerRole } from '#db/values/volunteer-role.ts'
import { type AdminPage, isFiltered, type ResponsesView, viewAddress } from '#site/lib/admin-page.ts'
import { dayText, numberText } from '#site/texts/dates.ts'
import { roleLanguage, roleName, t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { users } from '#site/ui/Icon.tsx'
import { EmptyState } from '#site/ui/Panel.tsx'

/** Searches, filters and sorts by opening another address, without JavaScript too. Ticking a row does not redraw it. */
export const ResponsesSearch = memo(function ResponsesSearch({
  view,
  roles,
}: {
  view: ResponsesView
  roles: VolunteerRole[]
}) {
  const active = [view.status, view.role, view.suspicious, view.standing, view.sort].filter(Boolean).length
  const isRetired = view.role !== undefined && !roles.some(({ id }) => String(id) === view.role)
  return (
    <search>
      {/* Back would otherwise show the fields as they were left, above a table that is filtered by the address. */}
      <form className="flow responses-search" action="/admin#responses" method="get" autoComplete="off">
        {view.week !== undefined && <input type="hidden" name="week" value={view.week} />}
        <Field label={t('Search')} name="q" type="search" defaultValue={view.q} maxLength={200} />
        <details className="filters fold menu">
          <summary className="button button--secondary">
            {t('Filters')}
            {active > 0 && (
              <span className="filters__active">{t('{count} active', { count: numberText(active) })}</span>
            )}
          </summary>
          <div className="filters__fields">
            <Field as="select" label={t('Status')} name="status" defaultValue={view.status}>
              <option value="">{t('All')}</option>
              <option value="attending">{t('Attending')}</option>
              <option value="not-attending">{t('Not Attending')}</option>
            </Field>
            <Field as="select" label={t('Role')} name="role" defaultValue={view.role}>
              <option value="">{t('All')}</option>
              {roles.map(({ id, name }) => (
                <option key={id} value={id} lang={roleLanguage(name)}>
                  {roleName(name)}
                </option>
              ))}
              {isRetired && <option value={view.role}>{t('A retired role')}</option>}
            </Field>
            <Field as="select" label={t('Order')} name="sort" defaultValue={view.sort}>
              <option value="">{t('Newest')}</option>
              <option value="oldest">{t('Oldest')}</option>
              <option value="name">{t('Name')}</option>
            </Field>
            <Checkbox name="suspicious" value="true" defaultChecked={view.suspicious === 'true'}>
              {t('Perhaps spam')}
            </Checkbox>
            <Checkbox name="standing" value="true" defaultChecked={view.standing === 'true'}>
              {t('Every week')}
            </Checkbox>
          </div>
        </details>
        <Button type="submit" variant="secondary">
          {t('Search')}
        </Button>
      </form>
    </search>
  )
})

/** Leads from filtered or sorted responses back to all of the week. */
export function ShowAll({ view, className }: { view: ResponsesView; className?: string }) {
  return (
    <a className={className} href={`${viewAddress({ week: view.week })}#responses`}>
      {t('Show All')}
    </a>
  )
}

/** Replaces the rows if there are no responses, or none that match. */
export function NoResponses({ admin: { view, week, inviting }, total }: { admin: AdminPage; total: number }) {
  if (total > 0) return null
  if (!isFiltered(view)) {
    const none = week === undefined ? t('No responses yet.') : t('No responses for {day}.', { day: dayText(week) })
    return (
      <EmptyState icon={users}>
        {none} {inviting && t('Share the link to invite people.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={users} action={<ShowAll view={view} className={buttonClass('secondary')} />}>
      {t('No response matches. Search for less, or for another word.')}
    </EmptyState>
  )
}

/** The pages before and after this one. As links, so that reload, Back and bookmarks work. */
export function ResponsesPager({
  admin: { view, week },
  page: { responses, ahead, page, total },
}: {
  admin: AdminPage
  page: TablePage
}) {
  if (total === responses.length) return null
  // With the date: `this` may mean another week when the link is followed.
  const addressAt = (number: number) => `${viewAddress({ ...view, week: week ?? view.week }, number)}#responses`
  // E.g. `101–200 of 12,345`.
  const position = t('{first}–{last} of {total}', {
    first: numberText(ahead + 1),
    last: numberText(ahead + responses.length),
    total: numberText(total),
  })
  return (
    <nav className="flow pager" aria-label={t('Pages of responses')}>
      <span className="pager__position">{position}</span>
      {ahead > 0 && (
        <a className={buttonClass('secondary')} href={addressAt(page - 1)} rel="prev">
          {t('Previous')}
        </a>
      )}
      {ahead + responses.length < total && (
        <a className={buttonClass('secondary')} href={addressAt(page + 1)} rel="next">
          {t('Next')}
        </a>
      )}
    </nav>
  )
}
