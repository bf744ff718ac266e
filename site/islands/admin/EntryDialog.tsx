import { useId, useState } from 'react'
import type { SameSender } from '#db/values/stored-rsvp.ts'
import { AttendanceMark } from '#site/islands/Attendance.tsx'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { reloadWith } from '#site/lib/after-reload.ts'
import { nameLists } from '#site/lib/form-events.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import {
  type Entered,
  type Entry,
  type EntryChoices,
  type HandOver,
  peopleText,
  readEntry,
  saveEntry,
} from '#site/stores/admin/entry.ts'
import { features, volunteerRoles } from '#site/stores/admin/settings.ts'
import { dayText, formatMoment, listText } from '#site/texts/dates.ts'
import { plural, roleName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { EntryFields } from './EntryFields.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { LinkDialog } from './LinkDialog.tsx'

/** Adds responses that came by telephone or on paper, one after another, or changes one. Usable by keyboard alone. */
export function EntryDialog({
  entered,
  firstDay,
  admin,
  onClose,
}: {
  entered: Entered
  /** The initial service date of a new response. */
  firstDay: string
  admin: EntryChoices & Pick<AdminPage, 'zone'>
  onClose: () => void
}) {
  const { stored, merged } = entered
  const id = useId()
  const [round, setRound] = useState(0)
  const [day, setDay] = useState(firstDay)
  /** Undefined while nothing is typed. */
  const [typed, setTyped] = useState<Entry>()
  /** The response that was saved last, in words. */
  const [saved, setSaved] = useState<string>()
  const [handOver, setHandOver] = useState<HandOver>()
  const roles = useChangeable(admin.roles, volunteerRoles).data
  const shown = useChangeable(admin.features, features).data ?? { familyRsvp: true, volunteerSignup: true }

  const form = useForm(async (_, refuse, fields) => {
    const read = readEntry(fields)
    const result = await saveEntry(entered, read, refuse)
    if (result === undefined) return
    setTyped(undefined)
    if (result === 'reloading') return
    if (result !== 'added') return setHandOver(result)
    const { entry } = read
    const values = { name: entry.name.trim(), people: peopleText(entry), day: dayText(entry.serviceDate) }
    setSaved(
      entry.standing ? t('{name}, {people}, every week from {day}', values) : t('{name}, {people}, for {day}', values),
    )
    setDay(entry.serviceDate)
    setRound(round + 1)
    // The saved response may have filled a role.
    volunteerRoles.refresh()
    form.ref.current?.closest('dialog')?.scrollTo(0, 0)
  })
  const marked = Object.keys(form.errors).length > 0 && t('Not saved yet: correct what is marked.')

  function close() {
    if (form.pending) return
    const notSaved = t('What you typed is not saved. Close once more to discard it.')
    if (typed && form.errors.form !== notSaved) return form.refuse(notSaved, 'form')
    onClose()
    // The list behind the dialog does not show the new responses yet.
    if (saved !== undefined) reloadWith({ focus: '.responses-panel .panel__actions button' })
  }

  if (handOver !== undefined) {
    const { link, name, done } = handOver
    return (
      <LinkDialog title={t('A new link for {name}', { name })} label={t('Private link')} link={link} onClose={done}>
        {t(
          'Earlier links have ended: anyone who knows a name and an address can send an RSVP in that name, and would now see all of this. Give this one to {name} alone; it is not shown again.',
          { name },
        )}
      </LinkDialog>
    )
  }

  return (
    <Modal className="dialog dialog--form" aria-labelledby={`${id}-title`} onDismiss={close}>
      <Form
        of={form}
        className="dialog__body stack entry"
        onInput={({ currentTarget }) => setTyped(readEntry(new FormData(currentTarget)).entry)}
        {...nameLists}
      >
        {/* The merged responses are above the fields, so the focus starts at the title. */}
        <h2 className="dialog__title" id={`${id}-title`} tabIndex={merged && -1}>
          {merged ? t('Merge the Responses') : stored === undefined ? t('Add a Response') : t('Edit the Response')}
        </h2>
        {merged && (
          <>
            <p>
              <Sentence
                text="{name} sent {responses} for {day}."
                name={<bdi className="item__name">{merged[0].name}</bdi>}
                responses={plural(merged.length, '{count} response', '{count} responses')}
                day={dayText(merged[0].serviceDate)}
              />{' '}
              {t('The newest stays, with what is in the fields below; the others are deleted and can be restored.')}
            </p>
            <MergedRsvps merged={merged} zone={admin.zone} />
          </>
        )}
        {stored?.standing && !merged && (
          <p>{t('This household comes every week. What you change here is only for this week.')}</p>
        )}
        <p className="entry__saved" role="status">
          {saved && t('Saved: {saved}', { saved })}
        </p>
        <EntryFields
          key={round}
          stored={stored}
          day={day}
          typed={typed}
          days={admin.days}
          roles={roles ?? []}
          features={shown}
        />
        <div className="flow dialog__actions">
          <p className="entry__failed" role="alert">
            {form.errors.form ?? marked}
          </p>
          <Button variant="secondary" onClick={close}>
            {saved === undefined ? t('Cancel') : t('Done')}
          </Button>
          <Submit>{merged ? t('Merge') : t('Save')}</Submit>
        </div>
      </Form>
    </Modal>
  )
}

/** The responses to be merged, side by side; the proposal is below. */
function MergedRsvps({ merged, zone }: { merged: SameSender; zone: string }) {
  return (
    <div className="columns entry-merged">
      {merged.map((rsvp, place) => (
        <section key={rsvp.id} className="entry-merged__rsvp">
          <h3 className="entry-merged__title">
            {place === 0 ? t('The newest') : t('Before')}
            <span>{formatMoment(rsvp.changedAt ?? rsvp.createdAt, zone)}</span>
          </h3>
          <p>
            <AttendanceMark attending={rsvp.attending} />
          </p>
          <MergedField
            title={t('Family Members')}
            text={listText(
              rsvp.familyMembers.map(({ name, attending }) => (attending ? name : `${name} (${t('not attending')})`)),
            )}
          />
          <MergedField
            title={t('Volunteer Roles')}
            text={listText(rsvp.volunteerSignups.map(({ role }) => roleName(role.name)))}
          />
          <MergedField title={t('Phone')} text={rsvp.phone ?? ''} />
          <MergedField title={t('Message')} text={rsvp.message ?? ''} />
        </section>
      ))}
    </div>
  )
}

function MergedField({ title, text }: { title: string; text: string }) {
  return (
    <p className="entry-merged__said">
      <span className="entry-merged__field">{title}</span> <span dir="auto">{text || '-'}</span>
    </p>
  )
}
