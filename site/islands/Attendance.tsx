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

/** The number of people or responses, as a number or in words. A dash while unknown. */
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
