import { memo, useEffect, useRef } from 'react'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { isFiltered, type ResponsesView, viewAddress } from '#site/lib/responses-view.ts'
import { roleLanguage, roleName } from '#site/texts/role-name.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

/** Searches, filters and sorts the table: a form that only opens another address, so that it works without JavaScript. A tick does not change it. */
export const ResponsesSearch = memo(function ResponsesSearch({
  view,
  roles,
  person,
}: {
  view: ResponsesView
  roles: VolunteerRole[]
  /** Whose duplicates alone are shown; undefined where none is left. */
  person: string | undefined
}) {
  const form = useRef<HTMLFormElement>(null)

  // What is empty filters nothing, and does not belong in the address.
  useEffect(() => {
    form.current?.addEventListener('formdata', ({ formData }) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
    })
  }, [])

  const isRetired = view.role !== undefined && !roles.some(({ id }) => String(id) === view.role)
  return (
    <search>
      {/* Back would otherwise show the fields as they were left, above a table that is filtered by the address. */}
      <form ref={form} className="responses-search" action="/admin#responses" method="get" autoComplete="off">
        {view.week !== undefined && <input type="hidden" name="week" value={view.week} />}
        <div className="responses-search__words">
          <Field label={t('Search')}>
            {(wiring) => <input {...wiring} name="q" type="search" defaultValue={view.q} maxLength={200} />}
          </Field>
        </div>
        <Field label={t('Status')}>
          {(wiring) => (
            <select {...wiring} name="status" defaultValue={view.status}>
              <option value="">{t('All')}</option>
              <option value="attending">{t('Attending')}</option>
              <option value="not-attending">{t('Not Attending')}</option>
            </select>
          )}
        </Field>
        <Field label={t('Role')}>
          {(wiring) => (
            <select {...wiring} name="role" defaultValue={view.role}>
              <option value="">{t('All')}</option>
              {roles.map(({ id, name }) => (
                <option key={id} value={id} lang={roleLanguage(name)}>
                  {roleName(name)}
                </option>
              ))}
              {isRetired && <option value={view.role}>{t('A retired role')}</option>}
            </select>
          )}
        </Field>
        <Field label={t('Order')}>
          {(wiring) => (
            <select {...wiring} name="sort" defaultValue={view.sort}>
              <option value="">{t('Newest')}</option>
              <option value="oldest">{t('Oldest')}</option>
              <option value="name">{t('Name')}</option>
            </select>
          )}
        </Field>
        <label className="checkbox">
          <input
            className="checkbox__input"
            type="checkbox"
            name="suspicious"
            value="true"
            defaultChecked={view.suspicious === 'true'}
          />
          <span className="checkbox__label">{t('Perhaps spam')}</span>
        </label>
        {view.same !== undefined && (
          <label className="checkbox">
            <input className="checkbox__input" type="checkbox" name="same" value={view.same} defaultChecked />
            <span className="checkbox__label">
              <Sentence
                text="Only the duplicates of {person}"
                person={<bdi>{person ?? t('response {id}', { id: view.same })}</bdi>}
              />
            </span>
          </label>
        )}
        <Button type="submit" variant="secondary">
          {t('Search')}
        </Button>
        {(isFiltered(view) || view.sort !== undefined) && (
          <a className={buttonClass('quiet')} href={`${viewAddress({ week: view.week })}#responses`}>
            {t('Show All')}
          </a>
        )}
      </form>
    </search>
  )
})
