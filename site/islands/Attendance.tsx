import { t } from '#site/texts/texts.ts'
import { check, cross, Icon } from '#site/ui/Icon.tsx'

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
