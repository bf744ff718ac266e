import type { ServiceDay } from '#site/lib/days.ts'
import { plural, t } from '#site/texts/texts.ts'
import { check, cross, Icon } from '#site/ui/Icon.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

/** Whether a visitor is coming, by icon, word and color. */
export function AttendanceMark({ attending }: { attending: boolean }) {
  return (
    <span className={attending ? 'status status--yes' : 'status status--no'}>
      <Icon shape={attending ? check : cross} />
      {attending ? t('Attending') : t('Not Attending')}
    </span>
  )
}

/** The number of people attending or not attending, or of their responses in words; a dash while it is unknown. */
export function AttendanceCount({ attending, value }: { attending: boolean; value: number | string | undefined }) {
  return (
    <div className={attending ? 'count count--yes' : 'count count--no'}>
      <span className="count__label">
        <Icon shape={attending ? check : cross} />
        {attending ? t('Attending') : t('Not Attending')}
      </span>
      <span className="count__value">{value ?? '–'}</span>
    </div>
  )
}

export function ServicePeople({ service, people }: { service: ServiceDay; people: number | undefined }) {
  if (!people) return t('For {day}', { day: service.label })
  return (
    <Sentence
      text="{people} on {day}"
      people={
        <strong className="responses__people">
          {plural(people, '{count} person is coming', '{count} people are coming')}
        </strong>
      }
      day={service.label}
    />
  )
}
