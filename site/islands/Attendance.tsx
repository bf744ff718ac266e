import { t } from '#site/texts/texts.ts'
import { check, cross, Icon } from '#site/ui/Icon.tsx'

export function AttendanceMark({ attending }: { attending: boolean }) {
  return (
    <span className={attending ? 'status status--yes' : 'status status--no'}>
      <Icon shape={attending ? check : cross} />
      {attending ? t('Attending') : t('Not Attending')}
    </span>
  )
}

/** The number of responses, as a number or in words, and of the people expected from them. */
export function AttendanceCount(count: { attending: boolean; value: number | string; people?: string | false }) {
  return (
    <div className="count">
      <AttendanceMark attending={count.attending} />
      <span className="count__value">{count.value}</span>
      {count.people && <span>{count.people}</span>}
    </div>
  )
}
